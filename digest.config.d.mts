export function digestOfCode(): string;

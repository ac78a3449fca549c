/** An address in the kernel's memory, in bytes. */
export type Address = number;

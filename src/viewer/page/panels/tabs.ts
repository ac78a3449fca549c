// Tabs as the ARIA practices describe them: one of them takes the focus, arrows go from one to the next.

export class Tabs {
  readonly #tabs: readonly HTMLElement[];

  constructor(list: HTMLElement) {
    this.#tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
    for (const [i, tab] of this.#tabs.entries()) {
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      // Keys scroll a panel that has the focus.
      if (panel) panel.tabIndex = 0;
      tab.addEventListener('click', () => this.select(tab.id));
      tab.addEventListener('keydown', ({ key }) => {
        const last = this.#tabs.length - 1;
        const next = { ArrowRight: i === last ? 0 : i + 1, ArrowLeft: i === 0 ? last : i - 1, Home: 0, End: last }[key];
        if (next === undefined) return;
        this.select(this.#tabs[next].id);
        this.#tabs[next].focus();
      });
    }
  }

  select(id: string): void {
    for (const tab of this.#tabs) {
      const isSelected = tab.id === id;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = !isSelected;
    }
  }

  get selected(): string {
    return this.#tabs.find((tab) => tab.getAttribute('aria-selected') === 'true')?.id ?? '';
  }
}

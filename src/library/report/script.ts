// What a report does in a browser besides being read: tables that sort and filter, and a map that moves, grows and changes
// its colours. Plain script: it is part of the page, and the page needs it for nothing else.

/** What a page may load: nothing but what it holds. */
export const POLICY = "default-src 'none';img-src data:;style-src 'unsafe-inline';script-src 'unsafe-inline'";

export const SCRIPT = `
document.documentElement.classList.add('has-script');
const valueOf = (cell) => cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
for (const table of document.querySelectorAll('table[data-sorts]')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const isDown = head.getAttribute('aria-sort') === 'descending' || (!head.hasAttribute('aria-sort') && !head.classList.contains('number'));
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isDown ? 'ascending' : 'descending');
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[column]) }));
      const order = (a, b) => (typeof a.value === 'number' ? a.value - b.value : a.value < b.value ? -1 : a.value > b.value ? 1 : 0);
      rows.sort((a, b) => (isDown ? order(a, b) : order(b, a)));
      body.append(...rows.map(({ row }) => row));
    });
  });
}
for (const input of document.querySelectorAll('input[data-filters]')) {
  const table = document.getElementById(input.dataset.filters);
  const count = document.querySelector('[data-counts="' + input.dataset.filters + '"]');
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown++;
    }
    count.textContent = shown + ' of ' + table.tBodies[0].rows.length;
  });
}
for (const map of document.querySelectorAll('svg.map')) {
  const rects = [...map.querySelectorAll('rect')];
  const choice = document.querySelector('select[data-map="' + map.id + '"]');
  const legends = document.querySelectorAll('[data-legend="' + map.id + '"]');
  choice.addEventListener('change', () => {
    for (const rect of rects) rect.setAttribute('fill', rect.dataset[choice.value]);
    for (const legend of legends) legend.hidden = legend.dataset.of !== choice.value;
  });
  const whole = map.getAttribute('viewBox').split(' ').map(Number);
  let view = [...whole];
  const show = () => map.setAttribute('viewBox', view.join(' '));
  const zoom = (factor, x, y) => {
    const width = Math.min(whole[2] * 1.5, Math.max(whole[2] / 200, view[2] * factor));
    const by = width / view[2];
    view = [x - (x - view[0]) * by, y - (y - view[1]) * by, width, view[3] * by];
    show();
  };
  const middle = () => [view[0] + view[2] / 2, view[1] + view[3] / 2];
  const place = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  map.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey && !map.contains(document.activeElement)) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, ...place(event));
  }, { passive: false });
  let from = null;
  map.addEventListener('pointerdown', (event) => { from = place(event); map.setPointerCapture(event.pointerId); map.focus(); });
  map.addEventListener('pointermove', (event) => {
    if (!from) return;
    const to = place(event);
    view = [view[0] + from[0] - to[0], view[1] + from[1] - to[1], view[2], view[3]];
    show();
  });
  map.addEventListener('pointerup', () => { from = null; });
  map.addEventListener('pointercancel', () => { from = null; });
  const reset = () => { view = [...whole]; show(); };
  const keys = {
    '+': () => zoom(1 / 1.2, ...middle()), '=': () => zoom(1 / 1.2, ...middle()), '-': () => zoom(1.2, ...middle()), '0': reset,
    ArrowLeft: () => { view[0] -= view[2] / 10; show(); }, ArrowRight: () => { view[0] += view[2] / 10; show(); },
    ArrowUp: () => { view[1] -= view[3] / 10; show(); }, ArrowDown: () => { view[1] += view[3] / 10; show(); },
  };
  map.addEventListener('keydown', (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  for (const button of document.querySelectorAll('button[data-map="' + map.id + '"]')) {
    button.addEventListener('click', () => keys[button.value]());
  }
}
`;

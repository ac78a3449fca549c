// How a report looks: dark or light as the system is, and on paper.

export const STYLE = `
:root{color-scheme:light dark;--paper:#fbfbf9;--card:#fff;--ink:#1d1f23;--dim:#5c6068;--line:#dcdcd6;--accent:#1f5fbf;--bad:#b3261e;--warn:#8a5a00;--good:#1c7a3e;--track:#ecece6}
@media (prefers-color-scheme:dark){:root{--paper:#15171b;--card:#1c1f24;--ink:#e6e6e2;--dim:#a0a4ac;--line:#33373e;--accent:#8ab4f8;--bad:#ff8a80;--warn:#f2c14e;--good:#7fd39b;--track:#2a2e35}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,header{max-width:1480px;margin:0 auto;padding:0 24px}
header{padding-top:32px}
h1{font-size:26px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:20px;margin:40px 0 12px;overflow-wrap:anywhere}
h3{font-size:16px;margin:28px 0 8px}
h4{font-size:15px;margin:18px 0 4px;overflow-wrap:anywhere}
p{margin:6px 0;max-width:75ch}
.dim{color:var(--dim)}
.badge{display:inline-block;padding:1px 10px;border-radius:999px;border:1px solid currentColor;font-weight:600;font-size:13px;vertical-align:middle}
.ok,.info{color:var(--good)}.failed,.error{color:var(--bad)}.skipped,.warning{color:var(--warn)}
nav{margin:14px 0 0;display:flex;flex-wrap:wrap;gap:4px 18px}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(130px,1fr));gap:10px;margin:16px 0;padding:0}
.facts div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 14px}
.facts dt{color:var(--dim);font-size:13px}
.facts dd{margin:0;font-size:20px;font-variant-numeric:tabular-nums}
figure{margin:12px 0}
figure img{display:block;max-width:100%;height:auto;border-radius:8px;border:1px solid var(--line)}
figcaption{color:var(--dim);font-size:13px;margin-top:6px}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--card)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:5px 12px;text-align:left;border-bottom:1px solid var(--line);white-space:pre;vertical-align:baseline}
tbody tr:last-child td{border-bottom:0}
tbody tr:hover td{background:var(--track)}
th{font-size:13px;color:var(--dim);font-weight:600;background:var(--card);position:sticky;top:0}
th button{all:unset;cursor:pointer;font:inherit;color:inherit}
th button:focus-visible{outline:2px solid var(--accent)}
th[aria-sort=ascending] button::after{content:" \\2191"}
th[aria-sort=descending] button::after{content:" \\2193"}
td.number,th.number{text-align:right}
td.name{white-space:normal;overflow-wrap:anywhere;min-width:12ch}
.tall{max-height:560px;overflow:auto}
.tools{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:8px 0}
.tools label{color:var(--dim);font-size:14px}
input,select,.tools button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:4px 8px}
.map{touch-action:none;display:block;width:100%;height:min(620px,90vw);background:var(--card);border:1px solid var(--line);border-radius:8px}
.map rect{stroke:#2b2320;stroke-opacity:.6;stroke-width:1;vector-effect:non-scaling-stroke}
.map rect:hover,.map rect:focus-visible{stroke-width:3;stroke-opacity:1;outline:none}
.scale{display:flex;flex-wrap:wrap;gap:4px 16px;margin:8px 0;padding:0;list-style:none;font-size:13px;color:var(--dim)}
.scale i{display:inline-block;width:18px;height:12px;margin-right:6px;border:1px solid var(--line);border-radius:3px;vertical-align:-1px}
.bounds{display:grid;gap:10px;margin:14px 0;max-width:900px}
.bound{display:grid;grid-template-columns:11em minmax(120px,1fr) 4.5em;gap:2px 14px;align-items:center}
.track{position:relative;height:16px;background:var(--track);border-radius:4px;overflow:hidden}
.track i{position:absolute;top:0;bottom:0;left:0;background:var(--accent);border-radius:4px 0 0 4px}
.track i.over{background:var(--bad);border-radius:0}
.track i.out{background:linear-gradient(90deg,var(--bad) 85%,transparent)}
.track .mark{position:absolute;top:0;bottom:0;width:2px;margin-left:-1px;background:var(--ink)}
.much{text-align:right;font-weight:600;font-variant-numeric:tabular-nums}
.of{grid-column:2/4;font-size:13px;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
@media (max-width:640px){main,header,footer{padding-left:14px;padding-right:14px}.level{--zoom:1.5}th,td{padding:5px 8px}th:first-child,td:first-child{position:sticky;left:0;z-index:1;background:var(--card)}.facts{grid-template-columns:repeat(auto-fill,minmax(120px,1fr))}}
@media (max-width:560px){.bound{grid-template-columns:1fr auto}.bound .what{grid-row:1}.bound .track,.bound .of{grid-column:1/3}.bound .much{grid-row:1;grid-column:2}}
details{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 14px;margin:8px 0}
summary{cursor:pointer;font-weight:600}
details ul{margin:8px 0;padding-left:20px}
details li{overflow-wrap:anywhere}
code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px}
.halves{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:0 32px;align-items:start}
.halves>div{min-width:0}
.level{border-top:1px solid var(--line);padding:2px 0 10px;--zoom:3}
.level p{max-width:none}
.shots{display:flex;flex-wrap:wrap;gap:8px 12px}
.shots figure{margin:6px 0;min-width:0}
.shots img{width:calc(var(--w)*var(--zoom)*1px);max-width:100%;image-rendering:pixelated;border-radius:4px}
footer{max-width:1480px;margin:40px auto 32px;padding:0 24px;color:var(--dim);font-size:13px}
[hidden]{display:none!important}
.needs-script{display:none}
.has-script .needs-script{display:flex}
@media (prefers-reduced-motion:no-preference){.map rect{transition:fill .15s}}
@media print{.track,.track *{print-color-adjust:exact;-webkit-print-color-adjust:exact}.needs-script,nav{display:none!important}.tall{max-height:none}.scroll{overflow:visible}th,td{white-space:normal;padding:2px 6px}th,td:first-child{position:static!important}h2,h3{break-after:avoid}tr{break-inside:avoid}body{background:#fff;color:#000;font-size:11px}figure,details,.facts div{break-inside:avoid}.map{height:420px}}
`;

"""The style of what is printed for a tournament day: A4, a page a table, black on white, with the
cars' colors as the pages have them (`static/base.css`)."""

from __future__ import annotations

from typing import Final

PAINT: Final = {
    "red": ("#ba230b", "#fff"),
    "blue": ("#4068a0", "#fff"),
    "yellow": ("#ffdb35", "#15151b"),
    "green": ("#30b082", "#15151b"),
    "black": ("#15151b", "#fff"),
    "orange": ("#ec6821", "#15151b"),
    "violet": ("#42136b", "#fff"),
    "cyan": ("#9effed", "#15151b"),
    "pink": ("#d98ec4", "#15151b"),
    "brown": ("#401b08", "#fff"),
}
"""Of each color of a car the paint, and the ink that is read on it."""
_PAINTS: Final = "\n".join(
    f".c-{name} {{ background: {paint}; color: {ink}; }}" for name, (paint, ink) in PAINT.items()
)
STYLE: Final = f"""
@page {{ size: A4; margin: 12mm; }}
* {{ box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
body {{ margin: 0; font: 11pt/1.35 system-ui, "DejaVu Sans", sans-serif; color: #15151b; }}
section {{ break-after: page; max-width: 186mm; margin: 0 auto; }}
section:last-child {{ break-after: auto; }}
header {{ display: flex; justify-content: space-between; align-items: baseline; gap: 6mm;
  border-bottom: 1.2mm solid #15151b; padding-bottom: 2mm; margin-bottom: 5mm; }}
h1 {{ font-size: 22pt; line-height: 1.1; margin: 0; flex: none; max-width: 60%; }}
header p {{ margin: 0; text-align: right; color: #444; }}
table {{ width: 100%; border-collapse: collapse; }}
th, td {{ border: 0.3mm solid #777; padding: 0 2mm; height: 11.5mm; text-align: left; }}
thead th {{ height: 8mm; font-size: 9pt; font-weight: 600; background: #eee; }}
td.n {{ text-align: center; font-weight: 700; width: 12mm; }}
td.blank {{ min-width: 17mm; }}
small {{ display: block; color: #444; font-size: 8.5pt; line-height: 1.2; }}
.told {{ margin: 0 0 4mm; font-weight: 600; }}
.lines {{ margin-top: 7mm; }}
.lines p {{ border-bottom: 0.3mm solid #777; height: 11mm; margin: 0; color: #444; }}
.sign {{ display: flex; gap: 10mm; margin-top: 12mm; }}
.sign p {{ flex: 1; border-top: 0.3mm solid #777; padding-top: 1mm; margin: 0; color: #444; }}
.grid {{ display: grid; grid-template-columns: 1fr 1fr; column-gap: 10mm; row-gap: 3.5mm;
  list-style: none; margin: 0; padding: 0 0 11mm; }}
.grid li {{ display: flex; align-items: center; gap: 4mm; height: 21mm; padding: 0 4mm;
  border: 0.5mm solid #15151b; border-radius: 2mm; }}
.grid li:nth-child(even) {{ transform: translateY(11mm); }}
.grid b {{ font-size: 24pt; min-width: 12mm; }}
.disc {{ display: inline-grid; place-items: center; min-width: 13mm; height: 13mm; padding: 0 1mm;
  border: 0.4mm solid #15151b; border-radius: 7mm; font-weight: 700; }}
td .disc {{ min-width: 9mm; height: 9mm; }}
.who {{ font-weight: 700; overflow-wrap: anywhere; }}
.cards {{ display: grid; grid-template-columns: 1fr 1fr; gap: 4mm; }}
.card {{ display: grid; grid-template-columns: 30mm 1fr; height: 46mm; break-inside: avoid;
  border: 0.4mm dashed #777; }}
.card .number {{ display: grid; place-items: center; font-size: 34pt; font-weight: 800; }}
.card div {{ padding: 4mm; align-self: center; }}
.card .who {{ font-size: 19pt; line-height: 1.1; }}
.card .at {{ margin: 2mm 0 0; font-size: 13pt; }}
@media screen {{ body {{ padding: 8mm; }} section {{ margin-bottom: 20mm; }} }}
{_PAINTS}
"""

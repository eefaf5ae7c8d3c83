"""QR codes as SVG."""

from __future__ import annotations

from io import BytesIO


def format_qr(text: str) -> str:
    """The code of a text, to be put into a page as it is."""
    # Imported where it is used: most runs of the service never draw one.
    import segno

    drawn = BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True, nl=False
    )
    return drawn.getvalue().decode("utf-8")

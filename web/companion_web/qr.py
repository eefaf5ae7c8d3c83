"""QR codes as SVG."""

from __future__ import annotations

from io import BytesIO


def format_qr(text: str, *, error: str = "m") -> str:
    """The code of a text, to be put into a page as it is, or served as a picture.

    Args:
        error: how much of it may be unreadable, from `l` to `h`; a long text wants `l`.

    Raises:
        ValueError: no code holds so much.
    """
    # Imported where it is used: most runs of the service never draw one.
    import segno

    drawn = BytesIO()
    segno.make(text, error=error, micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True, nl=False
    )
    return drawn.getvalue().decode("utf-8")

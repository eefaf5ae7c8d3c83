/** A glass of 128 × 64 dots on a canvas. */

const LIT = [0xcf, 0xe8, 0xff];

/** Paint a picture: 1024 bytes in pages of eight rows, in base 64. */
export function paintGlass(canvas, glass) {
  if (canvas.dataset.glass === glass) return;
  canvas.dataset.glass = glass;
  const bytes = atob(glass);
  const context = canvas.getContext("2d");
  const image = context.createImageData(128, 64);
  for (let y = 0; y < 64; y++) {
    for (let x = 0; x < 128; x++) {
      if (!((bytes.charCodeAt((y >> 3) * 128 + x) >> (y & 7)) & 1)) continue;
      image.data.set([...LIT, 255], (y * 128 + x) * 4);
    }
  }
  context.putImageData(image, 0, 0);
}

/** Offers a file under its name: in ASCII for every client, and as it is for those of RFC 6266. */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\w .()+,-]/g, '_')
  const parts = ['attachment', `filename="${ascii}"`]
  if (ascii !== fileName) parts.push(`filename*=UTF-8''${encode(fileName)}`)
  return parts.join('; ')
}

/**
 * Encodes also `'()*`, which `encodeURIComponent` leaves and RFC 8187 does not allow. An unpaired surrogate
 * has no UTF-8 form.
 */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

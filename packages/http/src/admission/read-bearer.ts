/** The longest key that is looked at. */
const LONGEST = 512

/**
 * The key in the headers `Authorization` of a request; undefined when there is none, or several. Written by RFC 6750,
 * with any case of the scheme and any space around the key.
 */
export function readBearer(authorization: readonly string[]): string | undefined {
  const [header, ...others] = authorization
  if (header === undefined || others.length > 0) return undefined
  const key = /^[ \t]*bearer[ \t]+([\w.~+/-]+=*)[ \t]*$/i.exec(header)?.[1]
  return key === undefined || key.length > LONGEST ? undefined : key
}

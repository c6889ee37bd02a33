import { checkKeyFormat } from '@stagecraft/http'

const SHORTEST = 20
const EXPECTED = `a key of ${SHORTEST} to 512 letters, digits and ._~+/-, such as openssl rand -hex 32 prints`

/** Returns why a chosen key is refused, without the key; undefined for a generated key and for a long one. */
export function keyProblem(
  key: string,
): { readonly expected: string; readonly received: string } | undefined {
  const format = checkKeyFormat(key)
  if (format === 'valid') return undefined
  if (format === 'mistyped')
    return { expected: 'a key with a valid checksum', received: 'a key with a typing error' }
  if (!/^[\w.~+/-]{1,512}=*$/.test(key)) return { expected: EXPECTED, received: 'something else' }
  return key.length < SHORTEST
    ? { expected: EXPECTED, received: `one of ${key.length} characters` }
    : undefined
}

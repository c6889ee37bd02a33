import { checkKeyFormat } from '@stagecraft/http'

const SHORTEST = 20
const EXPECTED = `a key such as openssl rand -hex 32 makes, of ${SHORTEST} to 512 letters, digits and ._~+/-`

/** Returns why a chosen key is refused, without the key; undefined for one of our own form, and for a long one. */
export function keyProblem(
  key: string,
): { readonly expected: string; readonly received: string } | undefined {
  const format = checkKeyFormat(key)
  if (format === 'valid') return undefined
  if (format === 'mistyped') return { expected: 'a key whose checksum is right', received: 'one with a typo' }
  if (!/^[\w.~+/-]{1,512}=*$/.test(key)) return { expected: EXPECTED, received: 'another text' }
  return key.length < SHORTEST
    ? { expected: EXPECTED, received: `one of ${key.length} characters` }
    : undefined
}

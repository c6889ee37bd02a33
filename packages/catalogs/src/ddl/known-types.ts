import { DIALECTS } from '@stagecraft/dialects'

const KNOWN: ReadonlySet<string> = new Set(
  Object.values(DIALECTS).flatMap(({ types }) => [
    ...Object.values(types.families).flat(),
    ...types.wrappers,
    ...types.contains.map(([text]) => text),
  ]),
)

/** Types of warehouses that are only read as scripts. */
const OTHERS =
  /^(?:varchar2|nvarchar2|n?clob|blob|bfile|long|rowid|raw|binary_(?:float|double)|timestamp|interval)\b/

/** Returns true if any dialect knows a type, or if it is a name that a script defines. */
export function isTypeKnown(type: string | undefined): boolean {
  if (type === undefined) return true
  const base = type
    .toLowerCase()
    .replaceAll(/[`"[\]]/g, '')
    .replace(/[(<].*$/s, '')
    .trim()
  const isListed = KNOWN.has(base) || KNOWN.has(base.split(' ')[0] ?? '') || OTHERS.test(base)
  return isListed || base.includes('.')
}

/** Major, minor, patch, and a fourth number that is below 0 for what comes out before the version itself. */
export type Version = readonly [major: number, minor: number, patch: number, stage?: number]

/** The conditions on a dbt version, by its difference from the bound. */
const OPERATORS = {
  '>=': (difference: number) => difference >= 0,
  '>': (difference: number) => difference > 0,
  '<=': (difference: number) => difference <= 0,
  '<': (difference: number) => difference < 0,
  '=': (difference: number) => difference === 0,
  '!=': (difference: number) => difference !== 0,
} as const

type Operator = keyof typeof OPERATORS

interface Bound {
  readonly operator: Operator
  readonly version: Version
}

/** All of its bounds hold. */
export type VersionRange = readonly Bound[]

const NUMBERS = String.raw`v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?([^\s,<>=!~]*)`
const BOUND = new RegExp(String.raw`(>=|<=|!=|==|~=|>|<|=)?\s*${NUMBERS}`, 'gi')

/**
 * The version at the start of a text: `1.11.2`, `v2`, `1.10.0-rc1`, `1.10.0rc1`, `2026.1.5+abc`.
 */
export function parseVersion(text: string | undefined): Version | undefined {
  const match = new RegExp(`^${NUMBERS}$`, 'i').exec(text?.trim() ?? '')
  return match ? toVersion(match.slice(1)) : undefined
}

/** `>=1.8.0,<2.0.0`, `=1.10.8`, `1.9.2`, `~=1.9`, `1.10.*`: as dbt, Python and people write it. No bounds allow all. */
export function parseRange(text: string | undefined): VersionRange {
  return [...(text ?? '').matchAll(BOUND)].flatMap(([, operator = '=', ...parts]) =>
    toBounds(operator, parts),
  )
}

export function allows(range: VersionRange, version: Version): boolean {
  return range.every((bound) => OPERATORS[bound.operator](compareVersions(version, bound.version)))
}

/**
 * The newest version that a range allows, as far as somebody who has to tell these versions apart can see: it is one of
 * the versions around them and around the bounds of the range.
 */
export function newestAllowed(range: VersionRange, apart: readonly Version[]): Version | undefined {
  const bounds = [...apart, ...range.map(({ version }) => version)]
  const candidates: readonly Version[] = [[Infinity, 0, 0], ...bounds.flatMap(around)]
  return candidates
    .filter((version) => allows(range, version))
    .toSorted(compareVersions)
    .at(-1)
}

export function compareVersions(a: Version, b: Version): number {
  const compare = (index: 0 | 1 | 2 | 3): number => {
    const [left = 0, right = 0] = [a[index], b[index]]
    return left === right ? 0 : left - right
  }
  return compare(0) || compare(1) || compare(2) || compare(3)
}

/** A version, the release after it, and the last one before it. */
function around(version: Version): readonly Version[] {
  const [major, minor, patch] = version
  const before: Version =
    patch > 0
      ? [major, minor, patch - 1]
      : minor > 0
        ? [major, minor - 1, Infinity]
        : [major - 1, Infinity, 0]
  return [version, [major, minor, patch + 1], before]
}

function toBounds(operator: string, parts: readonly (string | undefined)[]): VersionRange {
  const version = toVersion(parts)
  const isWild = parts.slice(1, 3).some((part) => part !== undefined && /[x*]/i.test(part))
  if (operator === '~=' || (isWild && /^==?$/.test(operator)))
    return [
      { operator: '>=', version },
      { operator: '<', version: afterAll(parts, { isWild }) },
    ]
  return [{ operator: isOperator(operator) ? operator : '=', version }]
}

/** The first version that neither `1.10.*` nor `~=1.10.3` means. */
function afterAll(parts: readonly (string | undefined)[], { isWild }: { readonly isWild: boolean }): Version {
  const [major, minor] = toVersion(parts)
  const patch = parts[2]
  const isMinorFixed = isWild ? /^\d+$/.test(parts[1] ?? '') : patch !== undefined
  return isMinorFixed ? [major, minor + 1, 0] : [major + 1, 0, 0]
}

function isOperator(text: string): text is Operator {
  return Object.hasOwn(OPERATORS, text)
}

function toVersion([major, minor, patch, rest = '']: readonly (string | undefined)[]): Version {
  const numbers = [major, minor, patch].map((part) => Number.parseInt(part ?? '0', 10) || 0)
  const [a = 0, b = 0, c = 0] = numbers
  // of what follows the numbers, only that behind a plus says nothing of the order
  return /^[-.]?[a-z]/i.test(rest) ? [a, b, c, -1] : [a, b, c]
}

import { type Project, StagecraftError } from '@stagecraft/spec'

/** Major, minor, patch, and a fourth number that is below 0 for what comes out before the version itself. */
type Version = readonly [major: number, minor: number, patch: number, stage?: number]

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
type VersionRange = readonly Bound[]

const NUMBERS = String.raw`v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?([^\s,<>=!~]*)`
const BOUND = new RegExp(String.raw`(>=|<=|!=|==|~=|>|<|=)?\s*${NUMBERS}`, 'gi')

/**
 * The version at the start of a text: `1.11.2`, `v2`, `1.10.0-rc1`, `1.10.0rc1`, `2026.1.5+abc`.
 */
function parseVersion(text: string | undefined): Version | undefined {
  const match = new RegExp(`^${NUMBERS}$`, 'i').exec(text?.trim() ?? '')
  return match ? toVersion(match.slice(1)) : undefined
}

/** `>=1.8.0,<2.0.0`, `=1.10.8`, `1.9.2`, `~=1.9`, `1.10.*`: as dbt, Python and people write it. No bounds allow all. */
function parseRange(text: string | undefined): VersionRange {
  return [...(text ?? '').matchAll(BOUND)].flatMap(([, operator = '=', ...parts]) =>
    toBounds(operator, parts),
  )
}

function allows(range: VersionRange, version: Version): boolean {
  return range.every((bound) => OPERATORS[bound.operator](compareVersions(version, bound.version)))
}

/**
 * Returns the newest version that a range allows, among those that matter here: the versions around the given ones
 * and around the bounds of the range.
 */
function newestAllowed(range: VersionRange, apart: readonly Version[]): Version | undefined {
  const bounds = [...apart, ...range.map(({ version }) => version)]
  const candidates: readonly Version[] = [[Infinity, 0, 0], ...bounds.flatMap(around)]
  return candidates
    .filter((version) => allows(range, version))
    .toSorted(compareVersions)
    .at(-1)
}

function compareVersions(a: Version, b: Version): number {
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
  // of what follows the numbers, only that behind a plus says nothing about the order
  return /^[-.]?[a-z]/i.test(rest) ? [a, b, c, -1] : [a, b, c]
}

/** The form of property files for a range of dbt versions. */
export interface YamlProfile {
  readonly name: 'modern' | 'legacy-1.9' | 'legacy-1.8' | 'legacy-1.7'
  /** The first dbt version that reads it. */
  readonly since: Version
  /** The key under which data tests stand. */
  readonly testsKey: 'data_tests' | 'tests'
  /** Arguments of a generic test stand under `arguments:`. */
  readonly testArguments: boolean
  /** `meta` and `tags` of sources, tables and columns stand under `config:`. */
  readonly metaInConfig: boolean
  readonly freshnessInConfig: boolean
  readonly loadedAtInConfig: boolean
  /** `external_location` and other extras of a table stand under `config:`; before, under `meta:`. */
  readonly extrasInConfig: boolean
  /** The key of a snapshot may be a list of columns. */
  readonly snapshotKeyLists: boolean
  /** A snapshot must name its schema. */
  readonly snapshotsNeedSchema: boolean
}

const BEFORE_1_9 = {
  testArguments: false,
  metaInConfig: false,
  freshnessInConfig: false,
  loadedAtInConfig: false,
  extrasInConfig: false,
  snapshotKeyLists: false,
  snapshotsNeedSchema: true,
} as const

/**
 * Newest first. Source: `SourceConfig` in core/dbt/artifacts/resources/v1/source_definition.py of the branches
 * 1.8 to 1.12 of dbt-core; "Upgrading to v1.8" of docs.getdbt.com for the key that it renamed; and the behavior flag
 * `require_generic_test_arguments_property`, which is on by default since 1.10.8.
 */
const YAML_PROFILES: readonly YamlProfile[] = [
  {
    name: 'modern',
    since: [1, 10, 8],
    testsKey: 'data_tests',
    testArguments: true,
    metaInConfig: true,
    freshnessInConfig: true,
    loadedAtInConfig: true,
    extrasInConfig: true,
    snapshotKeyLists: true,
    snapshotsNeedSchema: false,
  },
  {
    name: 'legacy-1.9',
    since: [1, 9, 0],
    testsKey: 'data_tests',
    testArguments: false,
    metaInConfig: false,
    freshnessInConfig: true,
    loadedAtInConfig: false,
    extrasInConfig: false,
    snapshotKeyLists: true,
    snapshotsNeedSchema: false,
  },
  {
    name: 'legacy-1.8',
    since: [1, 8, 0],
    testsKey: 'data_tests',
    ...BEFORE_1_9,
  },
  {
    name: 'legacy-1.7',
    since: [1, 7, 0],
    testsKey: 'tests',
    ...BEFORE_1_9,
  },
]

/**
 * Returns the profile to write for: the requested version, else the dbt that last parsed the project if the project
 * allows it, else the newest version that `require-dbt-version` allows, else the newest of all.
 *
 * @param asked A version (`1.9`, `1.10.8`, `2`) or a profile's name.
 * @throws {StagecraftError} INVALID_REQUEST if `asked` is not a version, or one before 1.7.
 */
export function chooseProfile(asked: string | undefined, project: Project | undefined): YamlProfile {
  if (asked !== undefined) return namedProfile(asked) ?? profileOf(askedVersion(asked)) ?? fail(asked)
  const profile = profileOfProject(project)
  const mustBeFlat = project?.testArgumentsProperty === false && profile.testArguments
  return mustBeFlat ? (YAML_PROFILES.find((other) => !other.testArguments) ?? profile) : profile
}

function profileOfProject(project: Project | undefined): YamlProfile {
  const range = parseRange(project?.requireDbtVersion)
  const installed = parseVersion(project?.installedDbtVersion)
  if (installed && allows(range, installed)) return profileOf(installed) ?? lastProfile()
  const bounds = YAML_PROFILES.map(({ since }) => since)
  const newest = newestAllowed(range, bounds)
  return newest ? (profileOf(newest) ?? lastProfile()) : firstProfile()
}

function namedProfile(name: string): YamlProfile | undefined {
  return YAML_PROFILES.find((profile) => profile.name === name)
}

function profileOf(version: Version): YamlProfile | undefined {
  return YAML_PROFILES.find((profile) => compareVersions(version, profile.since) >= 0)
}

function firstProfile(): YamlProfile {
  return YAML_PROFILES[0] ?? fail('')
}

function lastProfile(): YamlProfile {
  return YAML_PROFILES.at(-1) ?? fail('')
}

function askedVersion(text: string): Version {
  const plain = /^v?\d+(?:\.\d+)?(?:\.(?:\d+|x|\*))?$/.test(text.trim())
  return (plain ? parseVersion(text) : undefined) ?? fail(text)
}

function fail(received: string): never {
  const expected = 'a dbt version from 1.7 on, such as 1.9, 1.10.8 or 2'
  throw new StagecraftError('INVALID_REQUEST', `dbtVersion: expected ${expected}; got "${received}"`, {
    details: { faults: [{ path: 'dbtVersion', expected, received: `"${received}"` }] },
  })
}

import { type Project, StagecraftError } from '@stagecraft/spec'

/** Major, minor, patch, and a fourth number, which is below 0 for a prerelease. */
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

/** A range of versions, in which all bounds hold. */
type VersionRange = readonly Bound[]

const NUMBERS = String.raw`v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?([^\s,<>=!~]*)`
const BOUND = new RegExp(String.raw`(>=|<=|!=|==|~=|>|<|=)?\s*${NUMBERS}`, 'gi')

/** Parses a version: `1.11.2`, `v2`, `1.10.0-rc1`, `1.10.0rc1`, `2026.1.5+abc`. */
function parseVersion(text: string | undefined): Version | undefined {
  const match = new RegExp(`^${NUMBERS}$`, 'i').exec(text?.trim() ?? '')
  return match ? toVersion(match.slice(1)) : undefined
}

/**
 * Parses a range as dbt, Python and people write it: `>=1.8.0,<2.0.0`, `=1.10.8`, `1.9.2`, `~=1.9`, `1.10.*`. A range
 * without bounds allows all versions.
 */
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

/** Returns a version, the release after it, and the last one before it. */
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

/** Returns the first version after those that `1.10.*` or `~=1.10.3` allows. */
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
  // a suffix marks a prerelease, unless it follows a plus
  return /^[-.]?[a-z]/i.test(rest) ? [a, b, c, -1] : [a, b, c]
}

/** The form of property files for a range of dbt versions. */
export interface YamlProfile {
  readonly name: 'modern' | 'legacy-1.9' | 'legacy-1.8' | 'legacy-1.7'
  /** The first dbt version that reads it. */
  readonly since: Version
  /** The key of data tests. */
  readonly testsKey: 'data_tests' | 'tests'
  /** True if arguments of a generic test are under `arguments:`. */
  readonly testArguments: boolean
  /** True if `meta` and `tags` of sources, tables and columns are under `config:`. */
  readonly metaInConfig: boolean
  readonly freshnessInConfig: boolean
  readonly loadedAtInConfig: boolean
  /**
   * True if `external_location` and other extras of a table are under `config:`; in earlier versions they are under
   * `meta:`.
   */
  readonly extrasInConfig: boolean
  /** True if the key of a snapshot may be a list of columns. */
  readonly snapshotKeyLists: boolean
  /** True if a snapshot must name its schema. */
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
 * @param requested A version (`1.9`, `1.10.8`, `2`) or a profile's name.
 * @throws {StagecraftError} INVALID_REQUEST if `requested` is not a version, or one before 1.7.
 */
export function chooseProfile(requested: string | undefined, project: Project | undefined): YamlProfile {
  if (requested !== undefined)
    return namedProfile(requested) ?? profileOf(requestedVersion(requested)) ?? fail(requested)
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

function requestedVersion(text: string): Version {
  const plain = /^v?\d+(?:\.\d+)?(?:\.(?:\d+|x|\*))?$/.test(text.trim())
  return (plain ? parseVersion(text) : undefined) ?? fail(text)
}

function fail(received: string): never {
  const expected = 'a dbt version from 1.7 on, such as 1.9, 1.10.8 or 2'
  throw new StagecraftError('INVALID_REQUEST', `dbtVersion: expected ${expected}; got "${received}"`, {
    details: { faults: [{ path: 'dbtVersion', expected, received: `"${received}"` }] },
  })
}

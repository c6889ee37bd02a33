import { type Project, StagecraftError } from '@stagecraft/spec'
import { YAML_PROFILES, type YamlProfile } from './profiles.ts'

type Version = readonly [number, number, number]

/**
 * The profile that every dbt in question reads. An asked version wins over the project's
 * `require-dbt-version`, of which the oldest allowed version counts; without either it is the newest.
 *
 * @param asked A version (`1.9`, `1.10.8`, `2`) or a profile's name.
 * @throws {StagecraftError} INVALID_REQUEST when `asked` is no version, or one before 1.8.
 */
export function chooseProfile(asked: string | undefined, project: Project | undefined): YamlProfile {
  if (asked !== undefined) return namedProfile(asked) ?? profileOf(askedVersion(asked)) ?? fail(asked)
  const oldest = oldestVersion(project?.requireDbtVersion)
  const profile = oldest ? (profileOf(oldest) ?? lastProfile()) : firstProfile()
  const mustBeFlat = project?.testArgumentsProperty === false && profile.testArguments
  return mustBeFlat ? (YAML_PROFILES.find((other) => !other.testArguments) ?? profile) : profile
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
  return readVersion(/^v?(\d+)(?:\.(\d+))?(?:\.(\d+|x|\*))?$/.exec(text.trim())) ?? fail(text)
}

/** `>=1.8.0,<2.0.0`, `["=1.10.8"]`: what stands behind `>=`, `>`, `=` or nothing; undefined without a lower bound. */
function oldestVersion(range: string | undefined): Version | undefined {
  const bounds = [
    ...(range ?? '').matchAll(/(>=|>|==|=|~=|<=|<|!=)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?[^\s,]*/g),
  ]
  const lower = bounds
    .filter(([, operator = '=']) => !operator.startsWith('<') && operator !== '!=')
    .map(([whole, , ...numbers]) => readVersion([whole, ...numbers]))
    .filter((version) => version !== undefined)
  return lower.toSorted(compareVersions).at(-1)
}

function readVersion(match: readonly (string | undefined)[] | null): Version | undefined {
  if (!match) return undefined
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map((part) => Number(part ?? 0) || 0)
  return [major, minor, patch]
}

function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

function fail(received: string): never {
  const expected = 'a dbt version from 1.8 on, such as 1.9, 1.10.8 or 2'
  throw new StagecraftError('INVALID_REQUEST', `dbtVersion: expected ${expected}; got "${received}"`, {
    details: { faults: [{ path: 'dbtVersion', expected, received: `"${received}"` }] },
  })
}

import { type Project, StagecraftError } from '@stagecraft/spec'
import {
  allows,
  compareVersions,
  newestAllowed,
  parseRange,
  parseVersion,
  type Version,
} from './dbt-versions.ts'
import { YAML_PROFILES, type YamlProfile } from './profiles.ts'

/**
 * The profile to write for. An asked version wins over the dbt that last parsed the project, as long as the project
 * allows that one; else the newest version that `require-dbt-version` allows counts, and without it the newest of all.
 *
 * @param asked A version (`1.9`, `1.10.8`, `2`) or a profile's name.
 * @throws {StagecraftError} INVALID_REQUEST if `asked` is not a version, or one before 1.8.
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
  const expected = 'a dbt version from 1.8 on, such as 1.9, 1.10.8 or 2'
  throw new StagecraftError('INVALID_REQUEST', `dbtVersion: expected ${expected}; got "${received}"`, {
    details: { faults: [{ path: 'dbtVersion', expected, received: `"${received}"` }] },
  })
}

import { StagecraftError } from '@stagecraft/spec'
import { type JinjaValue, printJinja, type RenderContext, Unrenderable } from '../jinja/jinja-value.ts'
import { renderText } from '../jinja/render.ts'
import { asRecord, asText } from '../project/shapes.ts'
import { readYamlData } from '../project/settings.ts'

/** One output of `profiles.yml`, rendered. Its fields contain secrets and only go to a driver. */
export interface Profile {
  /** The name of the entry in the file. */
  readonly name: string
  /** The name of the output. */
  readonly target: string
  /** The adapter: `postgres`. */
  readonly type: string
  readonly fields: Readonly<Record<string, JinjaValue>>
}

export interface ProfileChoice {
  /** The path of the file, for messages. */
  readonly path: string
  /** The name of the entry. */
  readonly profile: string
  /** The name of the output. @default `target:` of the entry, else `default` */
  readonly target: string | undefined
  /** The values that Jinja may use: the environment, and variables of the command line. */
  readonly context: RenderContext
}

/** The file with connections: https://docs.getdbt.com/docs/core/connect-data-platform/profiles.yml */
export const PROFILES_FILE = 'profiles.yml'

/**
 * Reads one output of `profiles.yml`. The others are not rendered, so their variables may be missing.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the key of a missing or invalid part, but never its value.
 */
export function readProfile(text: string, { context, path, profile, target }: ProfileChoice): Profile {
  const all = asRecord(readYamlData(text, path))
  const entry = asRecord(choose(all, { path, what: 'profile', name: profile }))
  const written =
    target ?? asText(render(entry['target'] ?? 'default', { path, key: `${profile}.target`, context }))
  const name = written ?? 'default'
  const output = choose(asRecord(entry['outputs']), { path, what: `target of ${profile}`, name })
  const fields = asRecord(render(output, { path, key: `${profile}.outputs.${name}`, context }))
  const type = asText(fields['type'])
  if (type === undefined)
    throw StagecraftError.invalid({
      path: `${path}: ${profile}.outputs.${name}.type`,
      expected: 'an adapter',
      received: 'nothing',
    })
  return { name: profile, target: name, type, fields }
}

interface Wanted {
  readonly path: string
  readonly what: string
  readonly name: string
}

function choose(entries: Readonly<Record<string, JinjaValue>>, { name, path, what }: Wanted): JinjaValue {
  const found = Object.entries(entries).find(([key]) => key === name)?.[1]
  if (found !== undefined) return found
  const names = Object.keys(entries).filter((key) => key !== 'config')
  const expected = names.length === 0 ? `a ${what}` : `a ${what}: ${names.join(', ')}`
  throw StagecraftError.invalid({ path, expected, received: JSON.stringify(name) })
}

interface Rendering {
  readonly path: string
  /** The path of the value: `shop.outputs.dev.password`. */
  readonly key: string
  readonly context: RenderContext
}

/** Renders every text in a value. */
function render(value: JinjaValue, rendering: Rendering): JinjaValue {
  if (typeof value === 'string') return renderOne(value, rendering)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: JinjaValue) => render(item, rendering))
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    render(inner, { ...rendering, key: `${rendering.key}.${key}` }),
  ])
  return Object.fromEntries(entries) as JinjaValue
}

/**
 * Renders one text.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the key, but never the text.
 */
export function renderField(text: string, rendering: Rendering): string {
  return printJinja(renderOne(text, rendering))
}

function renderOne(text: string, { context, key, path }: Rendering): JinjaValue {
  try {
    return renderText(text, context)
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error
    // The text may be a secret with braces, so the message only names a variable.
    if (error.isWithheld) throw withheld(String(error.variable), `${path}: ${key}`)
    const isMissing = error.variable !== undefined
    const expected = isMissing
      ? `the environment variable ${error.variable}`
      : 'no Jinja but env_var, var, filters, ~ and if'
    throw StagecraftError.invalid({
      path: `${path}: ${key}`,
      expected,
      received: isMissing ? 'nothing' : 'more',
    })
  }
}

function withheld(variable: string, path: string): StagecraftError {
  const expected = 'a variable of the warehouse, in a file of the project'
  const suggestion =
    'keep the profile outside the project, as in ~/.dbt, or give the value in another variable'
  return StagecraftError.invalid({ path, expected, received: variable }, { suggestion })
}

/** Returns a field as text; undefined if it is missing or empty. */
export function fieldOf({ fields }: Profile, ...names: readonly string[]): string | undefined {
  const found = names
    .map((name) => fields[name])
    .find((value) => value !== undefined && value !== null && value !== '')
  return found === undefined || typeof found === 'object' ? undefined : printJinja(found)
}

/** Returns the part of a profile that Jinja may read as `target`, without secrets. */
export function targetOf(profile: Profile): Readonly<Record<string, JinjaValue>> {
  const { name, target, type } = profile
  const database = fieldOf(profile, 'database', 'dbname', 'catalog', 'project')
  const schema = fieldOf(profile, 'schema', 'dataset')
  return {
    name: target,
    profile_name: name,
    type,
    ...(schema !== undefined && { schema, dataset: schema }),
    ...(database !== undefined && { database, dbname: database, catalog: database, project: database }),
  }
}

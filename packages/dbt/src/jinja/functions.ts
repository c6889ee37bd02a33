import { isTruthy, type JinjaValue, printJinja, type RenderContext, Unrenderable } from './jinja-value.ts'

type Work = (values: readonly JinjaValue[], context: RenderContext) => JinjaValue

/** The functions that profiles and properties may call: https://docs.getdbt.com/reference/dbt-jinja-functions */
export const FUNCTIONS: ReadonlyMap<string, Work> = new Map<string, Work>([
  [
    'env_var',
    ([name, fallback], { environment, isWithheld }) =>
      readVariable(printJinja(name ?? ''), { fallback, environment, isWithheld }),
  ],
  ['var', ([name, fallback], { vars }) => readVar(printJinja(name ?? ''), { fallback, vars })],
])

function readVariable(
  name: string,
  {
    environment,
    fallback,
    isWithheld,
  }: Pick<RenderContext, 'environment' | 'isWithheld'> & { readonly fallback: JinjaValue | undefined },
): JinjaValue {
  if (!environment) throw new Unrenderable('the environment is not known here')
  if (environment[name] !== undefined && isWithheld?.(name))
    throw new Unrenderable(`the environment variable ${name} is withheld`, name, true)
  const value = environment[name] ?? fallback
  if (value === undefined) throw new Unrenderable(`the environment variable ${name} is not set`, name)
  return value
}

function readVar(
  name: string,
  { fallback, vars }: { readonly fallback: JinjaValue | undefined; readonly vars: RenderContext['vars'] },
): JinjaValue {
  if (!vars) throw new Unrenderable('the variables of the project are not known here')
  const value = vars[name] ?? fallback
  if (value === undefined) throw new Unrenderable(`the variable ${name} is not set`)
  return value
}

const text = (value: JinjaValue | undefined): string => printJinja(value ?? '')
const trimEnd = (value: string, characters: string): string => {
  let end = value.length
  while (end > 0 && characters.includes(value[end - 1] ?? '')) end -= 1
  return value.slice(0, end)
}
const trimStart = (value: string, characters: string): string => {
  let start = 0
  while (start < value.length && characters.includes(value[start] ?? '')) start += 1
  return value.slice(start)
}

const SPACES = ' \t\n\r'

/** Filters, and methods of texts by the same names: the value comes first. */
export const FILTERS: ReadonlyMap<string, Work> = new Map<string, Work>([
  ['int', ([value]) => toNumber(value, Number.parseInt(text(value), 10))],
  ['float', ([value]) => toNumber(value, Number.parseFloat(text(value)))],
  ['as_number', ([value]) => toNumber(value, Number(text(value)))],
  [
    'as_bool',
    ([value]) => (typeof value === 'boolean' ? value : /^(?:true|1|yes|on|t|y)$/i.test(text(value))),
  ],
  ['as_native', ([value]) => toNative(text(value))],
  ['as_text', ([value]) => text(value)],
  ['string', ([value]) => text(value)],
  ['trim', ([value]) => text(value).trim()],
  ['strip', ([value, set = SPACES]) => trimStart(trimEnd(text(value), text(set)), text(set))],
  ['rstrip', ([value, set = SPACES]) => trimEnd(text(value), text(set))],
  ['lstrip', ([value, set = SPACES]) => trimStart(text(value), text(set))],
  ['lower', ([value]) => text(value).toLowerCase()],
  ['upper', ([value]) => text(value).toUpperCase()],
  ['replace', ([value, from, to]) => text(value).replaceAll(text(from), () => text(to))],
  ['startswith', ([value, start]) => text(value).startsWith(text(start))],
  ['endswith', ([value, end]) => text(value).endsWith(text(end))],
  [
    'default',
    ([value, fallback = '', always]) =>
      value === null || (isTruthy(always ?? false) && !isTruthy(value ?? null))
        ? fallback
        : (value ?? fallback),
  ],
])

function toNumber(value: JinjaValue | undefined, found: number): number {
  if (!Number.isNaN(found)) return found
  throw new Unrenderable(
    `expected a number, got ${value === '' ? 'an empty text' : 'text that is not a number'}`,
  )
}

function toNative(value: string): JinjaValue {
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value)
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return value
}

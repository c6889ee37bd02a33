import { parse } from 'yaml'

interface Properties {
  readonly models?: readonly { readonly name: string }[]
  readonly sources?: readonly {
    readonly name: string
    readonly tables?: readonly { readonly name: string }[]
  }[]
}

/**
 * Returns the errors that dbt reports for a project: repeated models, entries and source tables, and unknown
 * references. Empty for a valid project.
 */
export function refusals(files: ReadonlyMap<string, string>): readonly string[] {
  const yaml = [...files]
    .filter(([path]) => /\.ya?ml$/.test(path))
    .map(([, text]) => parse(text) as Properties)
  const sql = [...files].filter(([path]) => path.endsWith('.sql'))
  const models = sql.map(([path]) => path.split('/').at(-1)?.slice(0, -4) ?? '')
  const tables = yaml.flatMap(({ sources }) =>
    (sources ?? []).flatMap(({ name, tables: own }) => (own ?? []).map((table) => `${name}.${table.name}`)),
  )
  const entries = yaml.flatMap((one) => (one.models ?? []).map(({ name }) => name))
  const reads = sql.flatMap(([path, text]) => [
    ...[...text.matchAll(/source\(\s*'([^']+)',\s*'([^']+)'\s*\)/g)]
      .filter(([, source = '', table = '']) => !tables.includes(`${source}.${table}`))
      .map(([call]) => `${path} reads ${call}`),
    ...[...text.matchAll(/ref\(\s*'([^']+)'\s*\)/g)]
      .filter(([, model = '']) => !models.includes(model))
      .map(([call]) => `${path} reads ${call}`),
  ])
  return [...twice('model', models), ...twice('entry', entries), ...twice('table', tables), ...reads]
}

function twice(what: string, names: readonly string[]): readonly string[] {
  const found = names.filter((name, index) => names.indexOf(name) !== index)
  return found.map((name) => `${what} ${name} is there twice`)
}

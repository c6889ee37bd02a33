import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'

/** The dialects by the adapters that dbt runs with. */
const ADAPTERS: ReadonlyMap<string, DialectName> = new Map(
  Object.values(DIALECTS).flatMap(({ dbt, name }) => dbt.adapters.map((adapter) => [adapter, name])),
)

/** Returns the dialect of the adapter that dbt ran with; undefined for one that writes another dialect. */
export function dialectOfAdapter(adapter: string | undefined): DialectName | undefined {
  return ADAPTERS.get(adapter ?? '')
}

/** Returns true if the adapter lists fields of structs as columns with a dot in their names. */
export function listsFields(adapter: string | undefined): boolean {
  const dialect = dialectOfAdapter(adapter)
  return dialect !== undefined && DIALECTS[dialect].dbt.listsFields
}

/** Returns true for a package that comes with dbt and not with the project: `dbt` and one for each adapter. */
export function isBuiltIn(packageName: string): boolean {
  return packageName === 'dbt' || (packageName.startsWith('dbt_') && ADAPTERS.has(packageName.slice(4)))
}

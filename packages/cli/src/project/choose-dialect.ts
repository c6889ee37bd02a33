import { DIALECTS } from '@stagecraft/dialects'
import type { Catalog, Config, DialectName } from '@stagecraft/spec'
import type { OpenProject } from './open-project.ts'

/** What may name the dialect of a command. */
interface Named {
  readonly flags: { readonly dialect?: DialectName | undefined }
  readonly config: Config
  /** @default there is no project */
  readonly project?: Pick<OpenProject, 'context' | 'lock'> | undefined
  /** @default there is no catalog */
  readonly catalog?: Pick<Catalog, 'dialect'> | undefined
}

/**
 * Returns the dialect of the flag, the configuration, the lock, the target of the dbt profile, or the catalog, in this
 * order; undefined if nothing names one.
 */
export function findDialect({ catalog, config, flags, project }: Named): DialectName | undefined {
  const [locked] = project?.lock.values() ?? []
  const ofProfile = project && dialectOfTarget(project.context)
  return flags.dialect ?? config.dialect ?? locked?.dialect ?? ofProfile ?? catalog?.dialect
}

/** Returns the dialect of the target of a dbt profile; undefined without one, and for an unknown adapter. */
export function dialectOfTarget({ target }: OpenProject['context']): DialectName | undefined {
  const adapter = target?.['type']
  return Object.values(DIALECTS).find(({ dbt }) => dbt.adapters.some((name) => name === adapter))?.name
}

/** The dialect for reading names and SQL if nothing names one: its quotes and comments are the most common. */
export const COMMON_DIALECT = 'duckdb' satisfies DialectName

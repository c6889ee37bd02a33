import { findCalls, type IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'

/** Names that dbt brings itself, and that read nothing. */
const KNOWN =
  /^(?:config|var|env_var|log|return|range|set|dict|zip|is_incremental|exceptions\..*|adapter\..*|dbt\..*|type_\w+|loop\..*|this\..*|target\..*)$/

/** Finds a macro that the model calls and that no file of the project defines; undefined when there is none. */
export function foreignMacro({ files, index }: LintProject, { path }: IndexedModel): string | undefined {
  const own = new Set(index.macros.map(({ name }) => name))
  const calls = findCalls(files.get(path)?.text ?? '').map(({ name }) => name)
  const isReference = (name: string): boolean => /^(?:(?:builtins|dbt)\.)?(?:ref|source)$/.test(name)
  return calls.find(
    (name) => !KNOWN.test(name) && !isReference(name) && !own.has(name.slice(name.lastIndexOf('.') + 1)),
  )
}

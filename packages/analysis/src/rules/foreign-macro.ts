import type { FoundCall, IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'

/** Built-in names of dbt that read nothing. */
const KNOWN =
  /^(?:config|var|env_var|log|return|range|set|dict|zip|is_incremental|exceptions\..*|adapter\..*|dbt\..*|type_\w+|loop\..*|this\..*|target\..*)$/

const REFERENCE = /^(?:(?:builtins|dbt)\.)?(?:ref|source)$/

/** Returns a function that finds the calls of macros that no file of the project defines. */
export function foreignCalls({ calls, index }: LintProject): (model: IndexedModel) => readonly FoundCall[] {
  const own = new Set(index.macros.map(({ name }) => name))
  return ({ path }) =>
    (calls.get(path) ?? []).filter(
      ({ name }) =>
        !KNOWN.test(name) && !REFERENCE.test(name) && !own.has(name.slice(name.lastIndexOf('.') + 1)),
    )
}

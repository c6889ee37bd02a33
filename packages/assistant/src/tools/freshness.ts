import type { Entry } from '@stagecraft/analysis'
import type { ProjectView } from '../project-view.ts'

/** Returns the `freshness` of a source table; undefined without one. The innermost one counts; null there switches it off. */
export function freshnessIn({ project }: ProjectView, id: string): object | undefined {
  const sources = project.properties.flatMap(({ entries }) => entries('sources'))
  const levels = sources.flatMap((source) =>
    source
      .entries('tables')
      .flatMap((table) =>
        `source.${source.name}.${table.name}` === id
          ? [...writtenFreshness(table), ...writtenFreshness(source)]
          : [],
      ),
  )
  const set = levels.find((value) => value !== undefined)
  return typeof set === 'object' && set !== null ? set : undefined
}

function writtenFreshness(entry: Entry): readonly unknown[] {
  return [Reflect.get(Object(entry.get('config')), 'freshness'), entry.get('freshness')]
}

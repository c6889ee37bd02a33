import { printJinja, type RenderContext, Unrenderable } from '../jinja/jinja-value.ts'
import { renderText } from '../jinja/render.ts'
import type { ReadFile } from './facts-cache.ts'
import type { IndexedSource } from './project-index.ts'
import type { SourceFacts } from './properties-facts.ts'
import { asText } from './shapes.ts'

/** The sources that a file declares, with the places of their tables as far as they are known. */
export function indexSources({ facts, path }: ReadFile, context: RenderContext): readonly IndexedSource[] {
  return (facts.properties?.sources ?? []).map((source) => toSource(source, path, context))
}

function toSource(source: SourceFacts, path: string, context: RenderContext): IndexedSource {
  const { description, line, name, tables } = source
  // Since dbt 1.10 they may stand below config too.
  const database = source.database ?? asText(source.config?.['database'])
  const schema = source.schema ?? asText(source.config?.['schema']) ?? name
  return {
    name,
    path,
    line,
    description,
    database: database === undefined ? undefined : resolve(database, context),
    schema: resolve(schema, context),
    written: { database, schema },
    tables: tables.map(({ columns, description, identifier, line, name }) => ({
      name,
      // An unknown identifier is not a name in the warehouse, and matches none.
      identifier: identifier === undefined ? name : (resolve(identifier, context) ?? identifier),
      path,
      line,
      description,
      columns,
    })),
  }
}

/** A text without Jinja as it is, one with Jinja as far as it is known; undefined when it is not. */
function resolve(text: string, context: RenderContext): string | undefined {
  try {
    return printJinja(renderText(text, context))
  } catch (error) {
    if (error instanceof Unrenderable) return undefined
    throw error
  }
}

import type { McpServer, ReadResourceResult, ResourceTemplate } from '@modelcontextprotocol/server'
import { StagecraftError } from '@stagecraft/spec'
import type { QueryableProject } from '../queryable-project.ts'
import { cleanText } from '../clean-text.ts'
import type { ToolResult } from '../tool.ts'
import { getConventions } from '../tools/conventions.ts'
import { projectOverview } from '../tools/overview.ts'
import { getResource } from '../tools/resource.ts'

interface ResourceSetup {
  readonly ResourceTemplate: typeof ResourceTemplate
  readonly readProject: () => Promise<QueryableProject>
  /** Does work for a client within its time limit. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>
}

type Answer = (project: QueryableProject, id: string) => Promise<ToolResult>

/** Documents of the project as a whole. */
const DOCUMENTS: Readonly<Record<string, { readonly title: string; readonly answer: Answer }>> = {
  overview: { title: 'Overview of the project', answer: (project) => project.call(projectOverview, {}) },
  conventions: { title: 'Conventions of the project', answer: (project) => project.call(getConventions, {}) },
}

/** Documents about one thing. */
const TEMPLATES: Readonly<Record<string, { readonly title: string; readonly answer: Answer }>> = {
  model: {
    title: 'A model, by its name',
    answer: (project, id) => project.call(getResource, { id: `model.${id}` }),
  },
  source: {
    title: 'A table of a source: shop.orders',
    answer: (project, id) => project.call(getResource, { id: `source.${id}` }),
  },
  finding: {
    title: 'A finding of lint, by its id',
    answer: (project, id) => project.finding(id),
  },
}

/** Offers the project as resources, all of them results of tools. */
export function addResources(
  server: McpServer,
  { readProject, ResourceTemplate: Template, run }: ResourceSetup,
): void {
  const read = (uri: URL, answer: Answer, id: string): Promise<ReadResourceResult> =>
    run(async () => {
      const result = await answer(await readProject(), id)
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(result) }] }
    })
  for (const [name, { answer, title }] of Object.entries(DOCUMENTS))
    server.registerResource(name, `stagecraft://${name}`, { title, mimeType: 'application/json' }, (uri) =>
      read(uri, answer, ''),
    )
  for (const [name, { answer, title }] of Object.entries(TEMPLATES))
    server.registerResource(
      name,
      new Template(`stagecraft://${name}/{id}`, { list: undefined }),
      { title, mimeType: 'application/json' },
      (uri, { id }) => read(uri, answer, plainId(id)),
    )
}

function plainId(id: string | string[] | undefined): string {
  if (typeof id === 'string' && id.length <= 300) return decodeURIComponent(id)
  throw StagecraftError.invalid({
    path: 'id',
    expected: 'a name of the project',
    received: cleanText(JSON.stringify(id) ?? 'nothing', 100),
  })
}

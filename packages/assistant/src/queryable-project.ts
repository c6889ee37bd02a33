import { lineOf } from '@stagecraft/analysis'
import type { ProjectView } from './project-view.ts'
import type { Answer } from './talk/answer.ts'
import { rulesAnswer } from './talk/rules-answer.ts'
import type { Tool, ToolResult } from './tool.ts'
import type { ToolPorts } from './tool-ports.ts'
import { findFinding } from './tools/findings.ts'

/** A place of a file, from 1. */
export interface Place {
  readonly file: string
  readonly line: number
}

/** One state of a dbt project that can be queried, in this thread or in another. */
export interface QueryableProject {
  /** @throws {StagecraftError} As the tool does. */
  readonly call: (tool: Tool, input: unknown, ports?: ToolPorts) => Promise<ToolResult>
  /**
   * Answers a question by computing it.
   *
   * @throws {StagecraftError} INVALID_REQUEST for a question that cannot be computed.
   */
  readonly compute: (question: string) => Promise<Answer>
  /** @throws {StagecraftError} INVALID_REQUEST for an id that the project does not have. */
  readonly finding: (id: string) => Promise<ToolResult>
  /** Returns the text of each line; undefined for lines that do not exist. */
  readonly lines: (places: readonly Place[]) => Promise<readonly (string | undefined)[]>
}

/** Queries a project that this thread has read. */
export function askInPlace(readView: () => Promise<ProjectView>): () => Promise<QueryableProject> {
  return async () => queryableProject(await readView())
}

/** Answers from a view. */
export function queryableProject(view: ProjectView): QueryableProject {
  return {
    call: (tool, input, ports) => tool.call(view, input, ports),
    compute: (question) => rulesAnswer(view, question),
    finding: async (id) => findFinding(view, id),
    lines: async (places) => places.map((place) => textAt(view, place)),
  }
}

/** Returns a line of a file. Files whose text is not kept, such as seeds, have empty lines. */
function textAt({ configText, project }: ProjectView, { file, line }: Place): string | undefined {
  if (file === 'stagecraft.yml' && configText !== undefined) return configText.split(/\r?\n/)[line - 1]
  const source = project.files.get(file)
  if (source) return line >= 1 && line <= source.lineStarts.length ? lineOf(source, line) : undefined
  return project.index.models.some(({ path }) => path === file) ? '' : undefined
}

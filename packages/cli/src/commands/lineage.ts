import {
  columnLineage,
  idOfModel,
  knownColumns,
  type Lineage,
  lineageAround,
  type LineageAround,
  type LineageDirection,
  type LineageNode,
  type LintProject,
  loadSqlStructure,
  modelLineage,
  nearest,
  printLineageJson,
  printLineageMermaid,
  printLineageText,
  printOpenLineage,
} from '@stagecraft/analysis'
import { escapeForTerminal, StagecraftError } from '@stagecraft/spec'
import { chooseProject, type ChosenProject } from '../files/choose-project.ts'
import { writeOutput } from '../files/write-beside.ts'
import { type LintRunFlags, openLintRun } from '../project/lint-run.ts'
import { readVersion } from '../read-version.ts'

export interface LineageFlags extends Pick<LintRunFlags, 'config' | 'dialect'> {
  readonly up?: boolean
  readonly down?: boolean
  readonly format: 'text' | 'json' | 'mermaid' | 'openlineage'
  readonly output?: string
  readonly projectDir?: string
}

/** `stagecraft lineage`: shows the inputs of a relation or column, and its readers. */
export async function lineageCommand(name: string, flags: LineageFlags): Promise<void> {
  const chosen = await chooseProject([], flags.projectDir)
  const project = await (await openLintRun(chosen, flags)).read(new Map())
  const direction = flags.up ? 'up' : flags.down ? 'down' : 'both'
  const lineage = await find(project, name, direction)
  const text = print(lineage, { chosen, flags, project })
  if (flags.output === undefined) process.stdout.write(text)
  else {
    writeOutput('--output', flags.output, text)
    process.stderr.write(`written to ${flags.output}\n`)
  }
  if (flags.format === 'openlineage')
    for (const gap of lineage.gaps)
      process.stderr.write(`not known: ${escapeForTerminal(`${gap.name}: ${gap.reason}`)}\n`)
}

async function find(project: LintProject, name: string, direction: LineageDirection): Promise<LineageAround> {
  const models = modelLineage(project)
  const relation = findNode(project, models, name)
  if (relation) return lineageAround(models, relation, direction)
  const dot = name.lastIndexOf('.')
  const [owner, column] = [name.slice(0, Math.max(0, dot)), name.slice(dot + 1)]
  const ofColumn = findNode(project, models, owner)
  if (!ofColumn || ofColumn.kind === 'exposure') throw unknownName(models, name)
  const structure = await loadSqlStructure(project)
  const known = knownColumns(project, ofColumn, structure)
  const isThere = known.columns.some((one) => one.toLowerCase() === column.toLowerCase())
  if (!isThere && known.gaps.length === 0)
    throw unknownColumn(name, { column, columns: known.columns, isRaw: ofColumn.kind === 'source' })
  return columnLineage(project, { relation: ofColumn, column, direction }, { models, structure })
}

/**
 * Finds the node of a name or id. A versioned model named without a version means the one that `ref` takes. Case is
 * ignored if only one name matches.
 */
function findNode({ graph }: LintProject, { nodes }: Lineage, name: string): LineageNode | undefined {
  const folded = nodes.filter((node) => [node.id, node.name].some((one) => isSame(one, name)))
  const referred = graph.resolve({ model: name })
  return (
    nodes.find((node) => node.id === name || node.name === name) ??
    nodes.find(({ id }) => referred && id === idOfModel(referred)) ??
    (folded.length === 1 ? folded[0] : undefined)
  )
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function unknownName({ nodes }: Lineage, received: string): StagecraftError {
  const closest = nearest(
    received,
    nodes.map(({ name }) => name),
  )
  return StagecraftError.invalid(
    {
      path: 'name',
      expected: 'a model, seed, snapshot, exposure, source table or a column of one',
      received,
    },
    {
      suggestion:
        closest === undefined
          ? 'stagecraft lineage --help shows how to name them'
          : `did you mean ${closest}?`,
    },
  )
}

interface UnknownColumn {
  readonly column: string
  readonly columns: readonly string[]
  /** Returns true for a column of a source table. */
  readonly isRaw: boolean
}

function unknownColumn(name: string, { column, columns, isRaw }: UnknownColumn): StagecraftError {
  const closest = nearest(column, columns)
  return StagecraftError.invalid(
    {
      path: 'name',
      expected: isRaw ? 'a column that the table has' : 'a column that its SQL gives',
      received: name,
    },
    {
      suggestion:
        closest === undefined ? `its columns are ${columns.join(', ')}` : `did you mean ${closest}?`,
    },
  )
}

interface PrintContext {
  readonly chosen: ChosenProject
  readonly flags: LineageFlags
  readonly project: LintProject
}

function print(lineage: LineageAround, { chosen, flags, project }: PrintContext): string {
  const version = readVersion()
  const printers: Readonly<Record<LineageFlags['format'], () => string>> = {
    text: () => printLineageText(lineage, { version, prefix: chosen.fromHere }),
    json: () => printLineageJson(lineage, { version, prefix: chosen.fromRepository }),
    mermaid: () => printLineageMermaid(lineage),
    openlineage: () =>
      printOpenLineage(lineage, { version, project: project.index.settings.name, time: new Date() }),
  }
  return printers[flags.format]()
}

// How long lint takes over a dbt project of 1,500 models: with the rules that read files alone, and with those that look into SQL;
// then the page of the report and the lineage of its models.
// Run: npm run -s bench:lint
import {
  chooseRules,
  lint,
  lineageAround,
  modelLineage,
  printLineageJson,
  printReport,
  readLintProject,
  type Report,
  RULES,
} from '@stagecraft/analysis'
import { memoryTree } from '@stagecraft/dbt'
import { styledProject } from '../lint/styled-projects.ts'

const MODELS = 1500
const RUNS = 3

interface Timing {
  readonly milliseconds: number
  /** Of this process, whatever else the machine does. */
  readonly processor: number
  readonly report: Report
}

async function time(files: Readonly<Record<string, string>>, structure: boolean): Promise<Timing> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  const project = await readLintProject(memoryTree(files), { structure })
  const rules = structure ? RULES : RULES.filter(({ needs }) => !needs.includes('structure'))
  const severities = Object.fromEntries(rules.map(({ id, severity }) => [id, severity]))
  const report = lint(project, { rules: chooseRules({ select: rules.map(({ id }) => id), severities }) })
  const { system, user } = process.cpuUsage(before)
  return { milliseconds: performance.now() - start, processor: (system + user) / 1000, report }
}

const files = styledProject('layers', MODELS)
for (const structure of [false, true]) {
  const runs: Timing[] = []
  for (let run = 0; run < RUNS; run += 1) runs.push(await time(files, structure))
  const best = Math.min(...runs.map(({ milliseconds }) => milliseconds))
  const processor = Math.min(...runs.map((one) => one.processor))
  const { findings, modelCount, unchecked } = runs[0]?.report ?? {
    findings: [],
    modelCount: 0,
    unchecked: [],
  }
  const unread = new Set(
    unchecked.filter(({ subject }) => subject.kind === 'model').map(({ subject }) => subject.name),
  )
  process.stdout.write(
    `${structure ? 'all rules      ' : 'without SQL    '} ${modelCount} models: first ${Math.round(runs[0]?.milliseconds ?? 0)} ms, best of ${RUNS} ${Math.round(best)} ms (${Math.round(processor)} ms of the processor); ${findings.length} findings, ${unread.size} models not checked by some rule\n`,
  )
}

const project = await readLintProject(memoryTree(files), { structure: true })
const report = lint(project, { rules: chooseRules() })

/** Prints the time of the processor that a piece of work takes, the best of some runs. */
function measure(name: string, work: () => string): void {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage()
    const { length } = work()
    const { system, user } = process.cpuUsage(before)
    return { milliseconds: (system + user) / 1000, length }
  })
  const best = Math.min(...times.map(({ milliseconds }) => milliseconds))
  process.stdout.write(
    `${name} ${Math.round(best)} ms of the processor, ${times[0]?.length ?? 0} characters\n`,
  )
}

measure('html           ', () =>
  printReport(report, 'html', { version: '0', lineage: modelLineage(project) }),
)
measure('lineage        ', () => {
  const models = modelLineage(project)
  const [start] = models.nodes
  return start ? printLineageJson(lineageAround(models, start, 'both'), { version: '0' }) : ''
})

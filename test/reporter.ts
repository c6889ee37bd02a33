import { globSync } from 'node:fs'
import type { TestCase, TestModule, TestSpecification, TestSuite } from 'vitest/node'
import { DefaultReporter } from 'vitest/node'
import { repositoryPath } from './paths.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What the tests cannot run without, and how to get it. */
    needs?: string
  }
}

/** A quick file that takes longer is named at the end, so that it does not go unseen. */
const LONG_MS = 15_000

/** Prints a line for each file as it ends, with how far the run is; then what failed; last what was not run, and why. */
export class ProgressReporter extends DefaultReporter {
  #files = 0
  #ended = 0

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
    this.#ended = 0
    super.onTestRunStart(specifications)
  }

  override printTestModule(module: TestModule): void {
    this.#ended += 1
    const tests = [...module.children.allTests()]
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    const [failed, skipped] = [inState('failed'), inState('skipped')]
    const counts = [
      `${tests.length} tests`,
      ...(failed.length > 0 ? [`${failed.length} FAILED`] : []),
      ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
      `${(module.diagnostic().duration / 1000).toFixed(1)} s`,
    ]
    const place = `${this.#ended}`.padStart(`${this.#files}`.length)
    const broken = module.state() === 'failed' && failed.length === 0 ? ' FAILED:' : ''
    this.log(`[${place}/${this.#files}] ${module.relativeModuleId}:${broken} ${counts.join(', ')}`)
    for (const test of failed) this.log(`    FAILED: ${test.fullName}`)
  }

  override onTestRunEnd(...run: Parameters<DefaultReporter['onTestRunEnd']>): void {
    super.onTestRunEnd(...run)
    for (const line of [...slowFiles(run[0]), notRun(run[0])]) this.log(line)
  }
}

function slowFiles(modules: readonly TestModule[]): readonly string[] {
  return modules
    .filter(({ project }) => project.name === 'quick')
    .filter((module) => module.diagnostic().duration > LONG_MS)
    .map((module) => {
      const seconds = (module.diagnostic().duration / 1000).toFixed(0)
      return `Slow: ${module.relativeModuleId} took ${seconds} s; what is long by its nature is named *.long.test.ts.`
    })
}

/** Says what was skipped or left out, why, and how to have it run. */
function notRun(modules: readonly TestModule[]): string {
  const reasons = [...skippedTests(modules), ...leftOut(modules)]
  return reasons.length === 0 ? 'Nothing was skipped.' : `Not run: ${reasons.join('; ')}.`
}

function skippedTests(modules: readonly TestModule[]): readonly string[] {
  const skipped = modules
    .flatMap((module) => [...module.children.allTests()])
    .filter((test) => test.result().state === 'skipped')
  return [...Map.groupBy(skipped, reasonOf)].map(([reason, tests]) => `${tests.length} tests, ${reason}`)
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  if (result.state === 'skipped' && result.note !== undefined) return result.note
  let entity: TestCase | TestSuite | TestModule = test
  while (entity.type !== 'module') {
    const { needs } = entity.meta()
    if (needs !== undefined) return `for want of ${needs}`
    entity = entity.parent
  }
  return `skipped in ${entity.relativeModuleId}`
}

/** The long tests, when all of the others were run. */
function leftOut(modules: readonly TestModule[]): readonly string[] {
  const files = globSync('{packages/*/src,test}/**/*.test.ts', { cwd: repositoryPath('') })
  const long = files.filter((file) => file.endsWith('.long.test.ts'))
  if (modules.length !== files.length - long.length) return []
  return [
    `${long.length} files of tests that take long (dbt, whole services, crashes), which \`npm run -s pn -- test:all\` runs too`,
  ]
}

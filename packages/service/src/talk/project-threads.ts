import type { ProjectFiles } from '../analyses/read-project-files.ts'
import type { ProjectThread } from './project-thread.ts'

/** The maximum number of open projects in a process. Each may take a few hundred megabytes. */
const KEPT = 4

/** A project that a thread reads, and its dependencies besides the files. */
interface KeptProject {
  readonly key: string
  readonly files: ProjectFiles
  readonly thread: ProjectThread
}

/** The most recently used projects. */
export class ProjectThreads {
  readonly #kept: KeptProject[] = []

  find(key: string): KeptProject | undefined {
    return this.#kept.find((one) => one.key === key)
  }

  /**
   * Stores a project in place of the previous one with the same key. Evicted projects end after their pending answers.
   */
  async keep(one: KeptProject): Promise<void> {
    const before = this.#kept.splice(0)
    this.#kept.push(...[one, ...before.filter(({ key }) => key !== one.key)].slice(0, KEPT))
    await retire(before.filter((other) => !this.#kept.includes(other)))
  }

  async close(): Promise<void> {
    await retire(this.#kept.splice(0))
  }
}

async function retire(projects: readonly KeptProject[]): Promise<void> {
  await Promise.all(projects.map(({ thread }) => thread.retire()))
}

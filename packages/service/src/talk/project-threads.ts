import type { ProjectFiles } from '../analyses/read-project-files.ts'
import type { ProjectThread } from './project-thread.ts'

/** The projects that a process keeps; each may take a few hundred megabytes. */
const KEPT = 4

/** A project that a thread looks at, and what it depends on besides the files. */
interface KeptProject {
  readonly key: string
  readonly files: ProjectFiles
  readonly thread: ProjectThread
}

/** The projects that were looked at last. */
export class ProjectThreads {
  readonly #kept: KeptProject[] = []

  find(key: string): KeptProject | undefined {
    return this.#kept.find((one) => one.key === key)
  }

  /** Keeps a project in place of what was read for the same key. Those that make room end once they have answered. */
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

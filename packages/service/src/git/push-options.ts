import type { FileChange, FileTree, ProjectPlan } from '@stagecraft/dbt'
import type { PushPlan } from '@stagecraft/spec/api'
import type { Lookup } from '@stagecraft/webhooks'

/** A file to commit. `content` is committed byte for byte, as UTF-8. */
export interface PushFile {
  readonly path: string
  readonly content: string
}

/** The credentials of a push: a token over https, a key over ssh. */
export type GitCredentials =
  | {
      /** Hosts that check only the token accept any name. @default 'x-access-token' */
      readonly username?: string
      readonly token: string
    }
  | {
      /** In the form of OpenSSH or PEM, without a passphrase. */
      readonly privateKey: string
      /** Lines of a `known_hosts` file. Without them, any host key is accepted. */
      readonly knownHosts?: string
    }

/** The policy for push targets. */
export interface PushPolicy {
  /**
   * Allows a path of this machine, or `file://`, as a remote. Hooks of such a repository run as this process.
   */
  readonly allowLocal: boolean
  /** Allows hosts of private networks and of this machine as remotes. `http:` is allowed for them only. */
  readonly allowPrivateHosts: boolean
}

export interface PushOptions {
  /** `https://…`, `ssh://…`, `user@host:path`, `file:///…` or an absolute path, without a password. */
  readonly remote: string
  /** The branch to push to; it is created if it does not exist. */
  readonly branch: string
  /** The branch to create a new branch from. @default the default branch of the repository */
  readonly baseBranch?: string
  /** The message of the commit, without trailers. */
  readonly message: string
  /**
   * Lines at the end of the message: `{ 'Stagecraft-Push': 'push_1' }`. A rerun finds its commit by them, even if it
   * was rewritten.
   */
  readonly trailers?: Readonly<Record<string, string>>
  /** Author and committer. */
  readonly author: { readonly name: string; readonly email: string }
  /** The generated files, with paths relative to the root of the repository. */
  readonly files: readonly PushFile[]
  /**
   * By path, the SHA-256 in hex of the last pushed content or of all pushed contents. A file with such content may be
   * replaced.
   */
  readonly lastPushed: ReadonlyMap<string, string | readonly string[]>
  /** Files of earlier pushes without a unit. They are removed if they are unchanged and not needed. */
  readonly gone?: GoneFiles
  /** The commits that earlier runs of this push were about to send. If one of them arrived, this push is done. */
  readonly sent?: readonly SentCommit[]
  /** Called with each commit before it is sent. If it rejects, the commit is not sent. */
  readonly onSend?: (commit: SentCommit) => Promise<void>
  /** Replaces files that people changed. @default false */
  readonly overwrite?: boolean
  /**
   * Plans for the dbt project of the branch instead of writing the files unchanged.
   * @default files are written unchanged, as in a branch without a dbt project
   */
  readonly planner?: ProjectPlanner
  /** Plans only: nothing is committed. @default false */
  readonly dryRun?: boolean
  /** The credentials for the remote. @default none */
  readonly credentials?: GitCredentials
  /** The remotes that are allowed. */
  readonly policy: PushPolicy
  /** Stops the push and its git processes. A commit that was sent may arrive. */
  readonly signal?: AbortSignal
  /** The total time limit, including host lookup and retries. @default 120000 */
  readonly timeoutMs?: number
  /**
   * The folder for the temporary clone; created if it does not exist.
   * @default the temporary folder of the system
   */
  readonly folder?: string
  /** The date of the commit. @default Date.now */
  readonly now?: () => number
  /** Replaces the DNS of the system. */
  readonly lookup?: Lookup
  /** A PEM file of certificates to trust instead of those of the system. */
  readonly caFile?: string
  /** @default 'git' and 'ssh', as found on the PATH */
  readonly programs?: { readonly git?: string; readonly ssh?: string }
}

/** The dbt project of a branch. */
export interface BranchProject {
  /** Its folder in the repository; empty for the root. */
  readonly folder: string
  /** Its files. */
  readonly tree: FileTree
}

/** Exceptions that keep the rest of the branch working. */
export interface PlanExceptions {
  /** Keys of tables in the lock that stay without a unit, because other files need their models. */
  readonly keep: ReadonlySet<string>
  /** Keys of tables that are left out, because other files have the same definitions. */
  readonly without: ReadonlySet<string>
}

/** A plan for the dbt project of a branch. All paths but those of `left` are relative to the project. */
export interface PlannedProject {
  readonly plan: ProjectPlan
  /** The files to write: generated files, the lock, and the rule by which git merges it. */
  readonly changes: readonly FileChange[]
  /** Paths of models without a unit, by the keys of their tables. */
  readonly gone: ReadonlyMap<string, string>
  /** By path, the SHA-256 of every generated file before merging. */
  readonly pushed: ReadonlyMap<string, string>
  /** Repository paths of files from earlier pushes that have no unit and are in no lock. */
  readonly left: readonly string[]
  /** Models that are left out because their source cannot be declared. */
  readonly skipped: readonly SkippedPart[]
  /** Ids of units whose model was edited by people, among those in the branch. Absent if the plan has no units. */
  readonly units?: PlannedUnits
}

/** Ids of units whose model is in a branch. */
export interface PlannedUnits {
  readonly edited: readonly string[]
  readonly asGenerated: readonly string[]
}

/** Plans for the dbt project of a branch, as `stagecraft plan` does on disk. */
export interface ProjectPlanner {
  /** The folder of the dbt project in the repository. @default the one that is found */
  readonly folder?: string | undefined
  readonly plan: (project: BranchProject, exceptions: PlanExceptions) => Promise<PlannedProject>
}

export interface GoneFiles {
  readonly paths: readonly string[]
  /** `sources`: only models of the sources that the files of this push declare. */
  readonly of: 'all' | 'sources'
}

export interface PushedFile {
  readonly path: string
  readonly change: 'added' | 'changed'
  readonly lines: number
}

/** A pushed file without a unit that stays, and the reason. */
export interface KeptFile {
  readonly path: string
  /** `changed`: a person changed it. `needed`: other files of the branch refer to it. */
  readonly reason: 'changed' | 'needed'
}

/** A part of a push that was left out, because another file of the branch defines it. */
export interface SkippedPart {
  /** The file that would have contained it. */
  readonly path: string
  /** `the model stg_shop__orders`, `the source shop.orders`, `the properties of stg_shop__orders`. */
  readonly name: string
  readonly definedIn: string
  /** `used`: the definition in the file is used as it is. `refused`: another thing has the same name. */
  readonly outcome: 'used' | 'refused'
}

/** A file with conflicting changes by a person and by generation. It stays as it is. */
export interface FileInConflict {
  readonly path: string
  readonly reasons: readonly string[]
}

/** A commit of a push, arrived or not. */
export interface SentCommit {
  readonly commit: string
  /** The parent commit; undefined for the first one of a repository. */
  readonly base?: string
  /** The files that it writes. */
  readonly files: readonly PushedFile[]
  readonly removed: readonly string[]
  readonly kept: readonly KeptFile[]
  readonly skipped: readonly SkippedPart[]
  readonly conflicts: readonly FileInConflict[]
  /**
   * By path, the SHA-256 of every file that was given and not skipped, as the branch has it with this commit; in a dbt
   * project, as it was generated.
   */
  readonly pushed: ReadonlyMap<string, string>
  /** Commits of earlier versions have none. */
  readonly plan?: PushPlan
}

/** A push without a commit. */
interface NoCommit extends Pick<SentCommit, 'kept' | 'skipped' | 'conflicts' | 'pushed' | 'plan'> {
  /** `planned`: a dry run. */
  readonly outcome: 'unchanged' | 'planned'
  /** The head of the branch; undefined if the branch does not exist. */
  readonly commit: string | undefined
}

export type PushOutcome = ({ readonly outcome: 'pushed'; readonly branch: string } & SentCommit) | NoCommit

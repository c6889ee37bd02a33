import type { FileChange, FileTree, ProjectPlan } from '@stagecraft/dbt'
import type { PushPlan } from '@stagecraft/spec/api'
import type { Lookup } from '@stagecraft/webhooks'

/** A file as it has to stand in the branch; `content` is committed byte for byte, as UTF-8. */
export interface PushFile {
  readonly path: string
  readonly content: string
}

/** The credentials of a push: a token over https, a key over ssh. */
export type GitCredentials =
  | {
      /** Hosts that look only at the token take any. @default 'x-access-token' */
      readonly username?: string
      readonly token: string
    }
  | {
      /** In the form of OpenSSH or PEM, without a passphrase. */
      readonly privateKey: string
      /** Lines of a `known_hosts` file. Without them, any host key is accepted. */
      readonly knownHosts?: string
    }

/** The targets that pushes may have. */
export interface PushPolicy {
  /**
   * Allows a path of this machine, or `file://`, as a remote. Hooks of such a repository run as this process.
   */
  readonly allowLocal: boolean
  /** Allows hosts of private networks and of this machine as remotes; `http:` is open for them alone. */
  readonly allowPrivateHosts: boolean
}

export interface PushOptions {
  /** `https://…`, `ssh://…`, `user@host:path`, `file:///…` or an absolute path; without a password in it. */
  readonly remote: string
  readonly branch: string
  /** The branch that a new one begins from. @default the default branch of the repository */
  readonly baseBranch?: string
  readonly message: string
  /** Lines at the end of the message: `{ 'Stagecraft-Push': 'push_1' }`. By them a rerun knows its commit, also a rewritten one. */
  readonly trailers?: Readonly<Record<string, string>>
  /** Author and committer. */
  readonly author: { readonly name: string; readonly email: string }
  readonly files: readonly PushFile[]
  /**
   * By path, the SHA-256 in hex of what was pushed last, or of everything that was: content that is among it
   * is ours to replace.
   */
  readonly lastPushed: ReadonlyMap<string, string | readonly string[]>
  /** Files of pushes before that belong to nothing any more: removed where they are ours still, and nothing needs them. */
  readonly gone?: GoneFiles
  /**
   * The commits that earlier runs of this push were about to send. One of them may have arrived; then this
   * push is done.
   */
  readonly sent?: readonly SentCommit[]
  /** Gets each commit before it is sent. It is not sent when this rejects. */
  readonly onSend?: (commit: SentCommit) => Promise<void>
  /** Replaces files that somebody else changed. @default false */
  readonly overwrite?: boolean
  /**
   * Plans for the dbt project of the branch, in place of writing the files as they are given.
   * @default they are, and so they are in a branch without a dbt project
   */
  readonly planner?: ProjectPlanner
  /** Plans only: nothing is committed. @default false */
  readonly dryRun?: boolean
  readonly credentials?: GitCredentials
  readonly policy: PushPolicy
  readonly signal?: AbortSignal
  /** For all of it, look-up of the host and retries included. @default 120000 */
  readonly timeoutMs?: number
  /**
   * The folder in which the temporary clone is created and removed; created if it does not exist.
   * @default the folder of the system for temporary files
   */
  readonly folder?: string
  /** The date of the commit. @default Date.now */
  readonly now?: () => number
  /** Stands in for the DNS of the system. */
  readonly lookup?: Lookup
  /** Certificates to trust, as a PEM file, in place of those of the system. */
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

/** The exceptions that the rest of the branch asks for. */
export interface PlanExceptions {
  /** Keys of tables in the lock that stay although their units are gone: others need their models. */
  readonly keep: ReadonlySet<string>
  /** Keys of tables that are left out: other files define what theirs would. */
  readonly without: ReadonlySet<string>
}

/** A plan for the dbt project of a branch. All paths but those of `left` are relative to the project. */
export interface PlannedProject {
  readonly plan: ProjectPlan
  /** What the plan writes: files, lock and the rule by which git merges it. */
  readonly changes: readonly FileChange[]
  /** Paths of models whose unit is gone, by the keys of their tables. */
  readonly gone: ReadonlyMap<string, string>
  /** By path, the SHA-256 of every generated file as it was generated. */
  readonly pushed: ReadonlyMap<string, string>
  /** Paths in the repository of files pushed before that belong to nothing any more, and that no lock knows. */
  readonly left: readonly string[]
  /** Models that are left out, because their source cannot be declared. */
  readonly skipped: readonly SkippedPart[]
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

/** A file of ours that belongs to nothing any more, and why it stays. */
export interface KeptFile {
  readonly path: string
  /** `changed`: somebody else changed it. `needed`: other files of the branch refer to it. */
  readonly reason: 'changed' | 'needed'
}

/** A part of a push that was left out, because another file of the branch defines it. */
export interface SkippedPart {
  /** The file that it would have been in. */
  readonly path: string
  /** `the model stg_shop__orders`, `the source shop.orders`, `the properties of stg_shop__orders`. */
  readonly name: string
  readonly definedIn: string
  /** `used`: it is taken as it is in the file. `refused`: it is another one of the same name. */
  readonly outcome: 'used' | 'refused'
}

/** A file that a person and generation changed in one place. It stays as it is. */
export interface FileInConflict {
  readonly path: string
  readonly reasons: readonly string[]
}

/** A commit of a push, whether or not the branch has it. */
export interface SentCommit {
  readonly commit: string
  /** The commit it builds on; undefined for the first one of a repository. */
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

/** A push that made no commit. */
interface NoCommit extends Pick<SentCommit, 'kept' | 'skipped' | 'conflicts' | 'pushed' | 'plan'> {
  /** `planned`: a dry run. */
  readonly outcome: 'unchanged' | 'planned'
  /** The head of the branch; undefined when the branch is not there. */
  readonly commit: string | undefined
}

export type PushOutcome = ({ readonly outcome: 'pushed'; readonly branch: string } & SentCommit) | NoCommit

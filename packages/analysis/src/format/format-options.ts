import type { Lineage } from '../lineage/lineage.ts'

export interface FormatOptions {
  /** Version of Stagecraft. */
  readonly version: string
  /** The prefix of the project's paths: `warehouse/` if the project is not the root of its repository. @default none */
  readonly prefix?: string
  /** Styles a piece of text for a terminal. @default no style */
  readonly paint?: Paint
  /** Name of the project, for the page. @default dbt project */
  readonly title?: string
  /** The lineage, for the page. @default no graph */
  readonly lineage?: Lineage
  /** Earlier reports, for the page, oldest first. @default no trend */
  readonly history?: readonly HistoryEntry[]
}

/** The summary of an earlier report. */
export interface HistoryEntry {
  /** The name of the report. */
  readonly label: string
  /** From 0 to 100. */
  readonly score: number
  readonly error: number
  readonly warning: number
  readonly info: number
}

export type Paint = (style: 'red' | 'yellow' | 'cyan' | 'bold' | 'dim', text: string) => string

import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

/** Styles text for standard error, if it is a terminal with colours (`NO_COLOR`, `FORCE_COLOR`). */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stderr })
}

/** Styles text for standard output, in the same way. */
export function paintOutput(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

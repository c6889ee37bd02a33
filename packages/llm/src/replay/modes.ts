/** `replay` plays recordings, `record` asks and records, `live` only asks. */
export const CASSETTE_MODES = ['replay', 'record', 'live'] as const

export type CassetteMode = (typeof CASSETTE_MODES)[number]

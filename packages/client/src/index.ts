export { type Answer } from './read-answer.ts'
export { type CallOptions, type Client, createClient } from './client.ts'
export { type ClientOptions } from './options.ts'

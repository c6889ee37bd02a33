/**
 * The library of all schemas. Every package takes it from here, so that there is one copy of it; the build puts that copy
 * beside this file, without the sources and compatibility layers that are four fifths of the package (`release/vendor.ts`).
 */
export { z } from 'zod'

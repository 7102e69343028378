// Every endpoint of the area, by the names that the client of the pages uses.
export * from './panel/endpoints.ts'
export * from './settings/endpoints.ts'

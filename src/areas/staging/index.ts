export { staging } from './area.ts'

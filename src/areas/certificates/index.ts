export { certificates } from './area.ts'
export { type ChallengeRecord, type DnsChallenges, dnsChallenges } from './challenges.ts'
export { issuing } from './issue.ts'

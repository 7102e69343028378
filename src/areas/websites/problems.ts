import { problem } from '../../core/problem.ts'

export const DomainTaken = problem('bad_request', 400, 'The host name belongs to another website')
export const OwnerUnknown = problem('bad_request', 400, 'The owner is no hosting user of this panel')
export const AlreadySo = problem('bad_request', 400, 'The website is in that state already')
export const AliasUnknown = problem('not_found', 404, 'The website has no such alias')

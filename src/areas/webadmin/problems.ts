import { problem } from '../../core/problem.ts'

export const NotInstalled = problem('not_installed', 400, 'phpMyAdmin is not installed')
export const NoPassword = problem('no_password', 400, 'The panel has no password of this account')
export const NoAlias = problem('no_alias', 500, 'phpMyAdmin is not served: install it again')

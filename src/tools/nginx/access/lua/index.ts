import { answerLua } from './answer.ts'
import { encodingLua } from './encoding.ts'
import { evaluateLua } from './evaluate.ts'
import { replayLua } from './replay.ts'

/**
 * The Lua module with which nginx evaluates access rules (libnginx-mod-http-lua 0.10.23). The rules are data in an encoding
 * of their own (`../encoding.ts`) and never Lua: no text of a rule is compiled. nginx loads them as root before it forks its
 * workers, so that they share them. Addresses are compared as hexadecimal text, of which the order is that of the numbers.
 */
export const accessLua = [encodingLua, evaluateLua, replayLua, answerLua].join('')

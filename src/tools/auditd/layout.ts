/** augenrules(8) merges the files of this directory. */
export const rulesPath = '/etc/audit/rules.d/50-hostreeve-ssh.rules'
/** The key of the records of the rules, without which `auditctl -l` could not tell them from others. */
export const ruleKey = 'hostreeve_ssh'
export const logPath = '/var/log/audit/audit.log'

/** Every command of a session: pam_loginuid gives each one the account that signed in, whatever it becomes by sudo. */
export const rules = `# Written by Hostreeve for the SSH audit: records the commands of every session.
-a always,exit -F arch=b64 -S execve -F auid!=unset -k ${ruleKey}
-a always,exit -F arch=b32 -S execve -F auid!=unset -k ${ruleKey}
`

// The scripts that set applications up, in PHP. Each reads one JSON object from standard input: `mode` is set_up, check or undo. Each
// prints one line of JSON that begins with the mark; whatever else is printed is a message of the application.

/** Begins the line that a script prints at its end. */
export const mark = 'hostreeve:'

const shared = `<?php
$in = json_decode(stream_get_contents(STDIN), true, 8, JSON_THROW_ON_ERROR);
function tell(array $outcome): void {
    echo "\\n${mark}", json_encode($outcome), "\\n";
    exit(0);
}
`

/** wp_install is what WordPress's own first page calls. */
const wordpress = `${shared}
$_SERVER['SERVER_NAME'] = $_SERVER['HTTP_HOST'] = $in['domain'];
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define('WP_INSTALLING', true);
// it would send the password by mail
function wp_new_blog_notification() {}
require $in['root'] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

$wpdb->suppress_errors(true);
if ($in['mode'] === 'check') {
    tell(['is_set_up' => get_option('hostreeve_set_up') !== false]);
}
if ($in['mode'] === 'undo') {
    foreach ($wpdb->get_col($wpdb->prepare('show tables like %s', $wpdb->esc_like($wpdb->prefix) . '%')) as $table) {
        $wpdb->query('drop table \`' . str_replace('\`', '\`\`', $table) . '\`');
    }
    tell(['is_set_up' => false]);
}
// with a structure there already, it does not fetch pages of its own to find out which one works
$structure = '/%year%/%monthnum%/%day%/%postname%/';
add_filter('pre_option_permalink_structure', fn () => $structure);
$made = wp_install($in['title'], $in['admin'], $in['email'], true, '', $in['password']);
remove_all_filters('pre_option_permalink_structure');
if (!is_array($made) || is_wp_error($made['user_id'])) {
    fwrite(STDERR, is_array($made) ? $made['user_id']->get_error_message() : 'wp_install made nothing');
    exit(1);
}
update_option('permalink_structure', $structure);
$GLOBALS['wp_rewrite']->init();
flush_rewrite_rules(false);
update_option('hostreeve_set_up', gmdate('c'), false);
tell(['is_set_up' => true]);
`

/** What install.php of DokuWiki would write; its file of users comes last, as it is how a set-up is found. */
const dokuwiki = `${shared}
$conf = dirname($in['root']) . '/wiki/conf';
if ($in['mode'] === 'check') {
    tell(['is_set_up' => is_file("$conf/users.auth.php")]);
}
$files = ['users.auth.php', 'acl.auth.php', 'local.php'];
if ($in['mode'] === 'undo') {
    foreach ($files as $file) {
        @unlink("$conf/$file");
    }
    tell(['is_set_up' => false]);
}
$settings = [
    'title' => $in['title'], 'license' => '0', 'useacl' => 1, 'superuser' => '@admin', 'disableactions' => 'register',
];
$local = "<?php\\n";
foreach ($settings as $name => $value) {
    $local .= "\\$conf['$name'] = " . var_export($value, true) . ";\\n";
}
$hidden = "# <?php exit()?>\\n";
$user = [$in['admin'], password_hash($in['password'], PASSWORD_BCRYPT), 'Administrator', $in['email'], 'admin,user'];
$contents = [
    'local.php' => $local,
    'acl.auth.php' => $hidden . "*\\t@ALL\\t1\\n*\\t@user\\t8\\n",
    'users.auth.php' => $hidden . implode(':', array_map(fn ($part) => str_replace(':', '\\\\:', $part), $user)) . "\\n",
];
umask(0077);
foreach ($contents as $file => $content) {
    if (file_put_contents("$conf/$file.new", $content) !== strlen($content) || !rename("$conf/$file.new", "$conf/$file")) {
        fwrite(STDERR, "conf/$file cannot be written");
        exit(1);
    }
}
tell(['is_set_up' => true]);
`

export const setUpScripts = { wordpress, dokuwiki } as const
export type SetUpScript = keyof typeof setUpScripts

import { generationName } from '../websites/index.ts'

/** The must-use plugin of WordPress, relative to the folder of a website. */
export const pluginPath = 'public/wp-content/mu-plugins/hostreeve-page-cache.php'

/** The file by which WordPress is found in a document root. */
export const wordpressFile = 'public/wp-includes/version.php'

/**
 * Gives every page a new key when something that pages show has changed: at the first change, and again at the end of the request, so that a
 * page that was made of former content in between is never asked for.
 */
export const plugin = `<?php
/**
 * Plugin Name: Hostreeve page cache
 * Description: Empties the page cache of the web server when something changes. The panel writes this file while the page cache is on.
 */
if (!defined('ABSPATH')) {
    exit;
}

(static function (): void {
    $file = dirname(ABSPATH) . '/${generationName}';
    $has_changed = false;

    // the time and the size of the file are part of the key of every page
    $empty = static function () use ($file): void {
        clearstatcache(true, $file);
        $is_new = !is_file($file);
        $is_long = !$is_new && @filesize($file) > 65536;
        if (@file_put_contents($file, '.', ($is_long ? 0 : FILE_APPEND) | LOCK_EX) === false) {
            @touch($file);
        }
        if ($is_new) {
            @chmod($file, 0644);
        }
    };
    $changed = static function () use (&$has_changed, $empty): void {
        if ($has_changed) {
            return;
        }
        $has_changed = true;
        $empty();
        add_action('shutdown', $empty, PHP_INT_MAX);
    };

    add_action('transition_post_status', static function ($new, $old, $post) use ($changed): void {
        $is_shown = in_array('publish', [$new, $old], true) || in_array('private', [$new, $old], true);
        if ($is_shown && $post->post_type !== 'revision') {
            $changed();
        }
    }, 10, 3);
    add_action('deleted_post', static function ($id, $post) use ($changed): void {
        if (in_array($post->post_status, ['publish', 'private'], true)) {
            $changed();
        }
    }, 10, 2);
    add_action('comment_post', static function ($id, $approved) use ($changed): void {
        if ((string) $approved === '1') {
            $changed();
        }
    }, 10, 2);
    add_action('transition_comment_status', static function ($new, $old) use ($changed): void {
        if ($new === 'approved' || $old === 'approved') {
            $changed();
        }
    }, 10, 2);

    $options = [
        'blogname', 'blogdescription', 'siteurl', 'home', 'template', 'stylesheet', 'active_plugins', 'posts_per_page',
        'posts_per_rss', 'rss_use_excerpt', 'show_on_front', 'page_on_front', 'page_for_posts', 'permalink_structure', 'category_base',
        'tag_base', 'date_format', 'time_format', 'timezone_string', 'gmt_offset', 'start_of_week', 'WPLANG', 'sidebars_widgets',
        'sticky_posts', 'blog_public', 'show_avatars', 'thread_comments', 'page_comments', 'comment_order', 'site_icon',
    ];
    $option = static function ($name) use ($changed, $options): void {
        if (in_array($name, $options, true) || preg_match('/^(?:widget_|theme_mods_)/', (string) $name)) {
            $changed();
        }
    };
    foreach (['updated_option', 'added_option', 'deleted_option'] as $hook) {
        add_action($hook, $option);
    }
    $hooks = [
        'save_post_attachment', 'attachment_updated', 'delete_attachment', 'edit_comment',
        'created_term', 'edited_term', 'delete_term', 'switch_theme', 'customize_save_after', 'wp_update_nav_menu',
        'wp_delete_nav_menu', 'upgrader_process_complete', 'activated_plugin', 'deactivated_plugin', 'profile_update', 'deleted_user',
    ];
    foreach ($hooks as $hook) {
        add_action($hook, static fn () => $changed(), 10, 0);
    }
})();
`

/* assets.h - the files beside this one that travel inside the library: cmake makes report_assets.c.
 */
#ifndef REPORT_ASSETS_H
#define REPORT_ASSETS_H

extern const char asset_chart_css[];
extern const char asset_page_css[];
extern const char asset_page_js[];

#endif

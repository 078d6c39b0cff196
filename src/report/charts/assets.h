/* assets.h - style sheets and script embedded in the library; cmake/report.cmake generates
 * report_assets.c from the files. */
#ifndef REPORT_ASSETS_H
#define REPORT_ASSETS_H

extern const char asset_chart_css[];
extern const char asset_page_css[];
extern const char asset_page_js[];

#endif

/* labels.c - finds room for the names of points: right beside if possible, otherwise further out.
 */
#include "report/charts/charts.h"

#include <math.h>

/* Directions from the point, those that are easiest to read first. */
static const double directions[][2] = {{1, 0},   {-1, 0}, {0, -1},  {0, 1},    {1, -1}, {1, 1},
                                       {-1, -1}, {-1, 1}, {1, -.5}, {-1, -.5}, {1, .5}, {-1, .5}};
enum { DIRECTIONS = sizeof directions / sizeof *directions, RINGS = 32 };

static const double BESIDE = 0.55; /* distance of the first ring from the point, in em */

static bool overlap(Box a, Box b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

static bool is_within(Box box, Box outer) {
    return box.x >= outer.x && box.y >= outer.y && box.x + box.width <= outer.x + outer.width &&
           box.y + box.height <= outer.y + outer.height;
}

static bool is_free(const Labels *labels, Box box) {
    if (!is_within(box, labels->inside))
        return false;
    for (size_t i = 0; i < labels->n; i++)
        if (overlap(box, labels->taken[i]))
            return false;
    return true;
}

void labels_take(Labels *labels, Box box) {
    if (labels->n < LABELS_MAX)
        labels->taken[labels->n++] = box;
}

void labels_take_line(Labels *labels, double em, double x1, double y1, double x2, double y2) {
    double half = em * 0.2, length = hypot(x2 - x1, y2 - y1);
    size_t n = (size_t)(length / em) + 1;
    for (size_t i = 0; i < n; i++) {
        double from = (double)i / (double)n, to = (double)(i + 1) / (double)n;
        double ax = x1 + (x2 - x1) * from, ay = y1 + (y2 - y1) * from;
        double bx = x1 + (x2 - x1) * to, by = y1 + (y2 - y1) * to;
        labels_take(labels, (Box){fmin(ax, bx) - half, fmin(ay, by) - half,
                                  fabs(bx - ax) + 2 * half, fabs(by - ay) + 2 * half});
    }
}

/* The box's nearest point lies `distance` away in a direction. */
static Box box_towards(const double *direction, double distance, double x, double y, double width,
                       double height) {
    double length = hypot(direction[0], direction[1]);
    double at_x = x + direction[0] / length * distance, at_y = y + direction[1] / length * distance;
    double left = direction[0] > 0 ? at_x : direction[0] < 0 ? at_x - width : at_x - width / 2;
    double top = direction[1] > 0 ? at_y : direction[1] < 0 ? at_y - height : at_y - height / 2;
    return (Box){left, top, width, height};
}

/* ---- the line from a point to its name ---- */

typedef struct Leader {
    double x, y; /* the point of the name's box that is nearest */
    double length;
} Leader;

static double nearest(double value, double from, double length) {
    return fmin(fmax(value, from), from + length);
}

static Leader leader_to(Box box, double x, double y) {
    double to_x = nearest(x, box.x, box.width), to_y = nearest(y, box.y, box.height);
    return (Leader){to_x, to_y, hypot(to_x - x, to_y - y)};
}

/* Right beside the point a name needs none. */
static bool leader_is_shown(const Leader *leader, double em) {
    return leader->length > em * (BESIDE + 0.35);
}

static bool holds(Box box, double x, double y) {
    return overlap(box, (Box){x, y, 0, 0});
}

/* It crosses nothing but what the point itself lies on. */
static bool leader_is_free(const Labels *labels, const Leader *leader, double em, double x,
                           double y) {
    size_t n = (size_t)(leader->length / (em * 0.1)) + 1;
    for (size_t i = 0; i < labels->n; i++)
        for (size_t k = 0; k <= n && !holds(labels->taken[i], x, y); k++) {
            double part = (double)k / (double)n;
            if (holds(labels->taken[i], x + (leader->x - x) * part, y + (leader->y - y) * part))
                return false;
        }
    return true;
}

/* ---- names ---- */

static void take_name(Labels *labels, Box box, double em, double x, double y) {
    Leader leader = leader_to(box, x, y);
    labels_take(labels, box);
    if (leader_is_shown(&leader, em))
        labels_take_line(labels, em, x, y, leader.x, leader.y);
}

/* `crossing`: its line may cross others. */
static bool find_room(Labels *labels, double em, double x, double y, const char *words,
                      bool crossing, Box *out) {
    double width = em * svg_text_width(words), height = em * 1.1;
    for (size_t ring = 0; ring < RINGS; ring++)
        for (size_t d = 0; d < DIRECTIONS; d++) {
            double distance = em * (BESIDE + 0.7 * (double)ring);
            *out = box_towards(directions[d], distance, x, y, width, height);
            Leader leader = leader_to(*out, x, y);
            if (is_free(labels, *out) && (crossing || leader_is_free(labels, &leader, em, x, y)))
                return true;
        }
    return false;
}

bool labels_place(Labels *labels, double em, double x, double y, const char *words, Box *out) {
    if (!find_room(labels, em, x, y, words, false, out) &&
        !find_room(labels, em, x, y, words, true, out))
        return false;
    take_name(labels, *out, em, x, y);
    return true;
}

void labels_write(Labels *labels, Figure *figure, double x, double y, const char *words) {
    double em = figure->sizes.em;
    Box box;
    if (!labels_place(labels, em, x, y, words, &box))
        return;
    Leader leader = leader_to(box, x, y);
    if (leader_is_shown(&leader, em))
        svg_line(&figure->marks, "axis", x, y, leader.x, leader.y);
    svg_text(&figure->marks, NULL, box.x, box.y + em * 0.85, words);
}
